import { Button, Select } from '@mantine/core';
import { Fragment, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../../shared/dashboard.ts';
import { countStates, deviceStates, type DeviceState } from '../../../../../shared/states.rules.ts';
import { linkedRange } from '../../../lib/time-range.ts';
import { useDisplayZone } from '../../../lib/current-user.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { useReadingAge } from '../../../lib/use-reading-age.ts';
import { FigureTable } from '../../../ui/FigureTable.tsx';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { usePrinting } from '../../../ui/printing.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { DeviceStateChip } from '../../../ui/StatusChip.tsx';
import classes from './DevicesPanel.module.css';
import { searchDevices } from './energy-groups.ts';
import { deviceOrders, sortDevices, type DeviceOrder } from '../figures.ts';
import type { DashboardSearch } from '../search.ts';
import { devicesPlace } from '../view.ts';

interface DevicesPanelProps {
  search: DashboardSearch;
  summary: DashboardSummary;
  /** The state of each device by its id. */
  states: ReadonlyMap<string, DeviceState>;
  /** Shows only the devices in a state; null shows all. */
  onState: (state: DeviceState | null) => void;
}

/** A list shorter than this needs no search. */
const searchedFrom = 10;
const allStates = 'all';

/** The number of devices at first. The others are shown on demand, because a page with hundreds of devices would be endless. */
const firstDevices = 20;

/** Every device with its current power and its average over the range. On a narrow screen each has three short lines. */
export function DevicesPanel({ search, summary, states, onState }: DevicesPanelProps) {
  const t = useTranslations('dashboard');
  const tCommon = useTranslations('common');
  const tTerms = useTranslations('terms');
  const tState = useTranslations('sites.state');
  const [isAll, setIsAll] = useState(false);
  const format = useFormat();
  const { compare } = format;
  const [text, setText] = useState('');
  const [order, setOrder] = useState<DeviceOrder>('place');
  const stateOf = (deviceId: string) => states.get(deviceId) ?? 'never';
  const sorted = useMemo(() => sortDevices(summary.devices, order, compare), [summary.devices, order, compare]);
  const isPrinting = usePrinting();
  const devices = searchDevices(sorted, text).filter(
    (device) =>
      (search.state === undefined || stateOf(device.deviceId) === search.state) &&
      // On paper only columns with content are shown.
      (!isPrinting || hasFigures(device)),
  );
  const counts = countStates(summary.devices.map(({ deviceId }) => stateOf(deviceId)));
  const isLong = summary.devices.length >= searchedFrom || search.state !== undefined;
  const timeZone = useDisplayZone(search);
  return (
    <div id={devicesPlace}>
      <Panel title={tTerms('devices')} flush>
        {isLong && (
          <div className={`${classes.controls} screen-only`}>
            <SearchField label={tTerms('searchDevices')} value={text} onChange={setText} found={devices.length} />
            <Select
              aria-label={t('columns.state')}
              value={search.state ?? allStates}
              data={[
                { value: allStates, label: t('allStates', { count: summary.devices.length }) },
                ...deviceStates.map((value) => ({
                  value,
                  label: `${tState(value)} (${format.integer(counts[value])})`,
                })),
              ]}
              allowDeselect={false}
              checkIconPosition="right"
              onChange={(value) => onState(deviceStates.find((one) => one === value) ?? null)}
            />
            <Select
              aria-label={tCommon('sort.by')}
              value={order}
              data={deviceOrders.map((value) => ({ value, label: t(`orders.${value}`) }))}
              allowDeselect={false}
              checkIconPosition="right"
              onChange={(value) => setOrder(deviceOrders.find((one) => one === value) ?? 'place')}
            />
          </div>
        )}
        <FigureTable
          label={tTerms('devices')}
          classNames={{ table: classes.table, head: classes.head, row: classes.row }}
          columns={[
            { header: tTerms('device'), className: classes.device },
            { header: t('columns.state'), className: classes.state },
            { header: tTerms('powerNow'), className: classes.current, align: 'end' },
            { header: t('columns.average'), className: classes.average, align: 'end' },
            { header: tTerms('lastReading'), className: classes.last, align: 'end' },
          ]}
          groups={[
            {
              id: 'devices',
              lines: (isAll || isPrinting ? devices : devices.slice(0, firstDevices)).map((device) => ({
                key: device.deviceId,
                name: <DeviceName device={device} search={search} />,
                cells: [
                  <DeviceStateChip key="state" state={stateOf(device.deviceId)} />,
                  format.power(device.currentPowerKw),
                  <Fragment key="average">
                    <span className={classes.hint} aria-hidden>
                      {t('averageSign')}{' '}
                    </span>
                    {format.power(device.averagePowerKw)}
                  </Fragment>,
                  <LastReading key="last" at={device.lastMeasuredAt} timeZone={timeZone} />,
                ],
              })),
            },
          ]}
        />
        {devices.length === 0 && <p className={classes.nothing}>{tTerms('noDeviceMatches')}</p>}
        {devices.length > firstDevices && !isAll && !isPrinting && (
          <div className={classes.more}>
            <Button variant="default" size="xs" onClick={() => setIsAll(true)}>
              {t('showAllDevices', { count: devices.length })}
            </Button>
          </div>
        )}
      </Panel>
    </div>
  );
}

type Device = DashboardSummary['devices'][number];

const hasFigures = ({ currentPowerKw, averagePowerKw }: Device) => currentPowerKw !== null || averagePowerKw !== null;

function DeviceName({ device, search }: { device: Device; search: DashboardSearch }) {
  const { deviceId, deviceName, siteId, siteName } = device;
  return (
    <>
      <LinkAnchor to="/measurements" search={{ ...linkedRange(search), devices: deviceId }} className={classes.name}>
        {deviceName}
      </LinkAnchor>
      <LinkAnchor
        to="/sites/$siteId"
        params={{ siteId }}
        search={linkedRange(search)}
        className={`${classes.site} detail`}
      >
        {siteName}
      </LinkAnchor>
    </>
  );
}

/** How long ago a device measured last. */
function LastReading({ at, timeZone }: { at: string | null; timeZone: string }) {
  const t = useTranslations('dashboard');
  const format = useFormat();
  const readingAge = useReadingAge();
  const nowMs = useNow(10_000);
  if (at === null) return t('never');
  return (
    <time dateTime={at} title={format.dateTimeSeconds(at, timeZone)}>
      {readingAge(at, nowMs)}
    </time>
  );
}
