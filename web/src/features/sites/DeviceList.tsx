import { Button, Checkbox, Skeleton } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useRef, useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { inTreeOrder } from '../../../../shared/reports.ts';
import type { Device, DeviceWithSite } from '../../../../shared/sites.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { deviceLimits, deviceState, deviceStates } from '../../../../shared/states.rules.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { LinkAnchor, LinkButton } from '../../ui/LinkButton.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { LastReading } from './LastReading.tsx';
import { SeveralDevices } from './SeveralDevices.tsx';
import { DeviceStateChip } from '../../ui/StatusChip.tsx';
import classes from './DeviceList.module.css';

/** Indentation per level of a tree of meters. */
const indentRem = 1.25;

type Listed = Omit<DeviceWithSite, 'siteName'> & Pick<Device, 'lastMeasuredAt'> & { ratedPowerKw?: number | null };

interface DeviceListProps<Row> {
  /** The devices in their order. A sub-meter is below its main meter. */
  devices: readonly Row[];
  /** In kW. Null if nothing is measured now; undefined while the power loads. */
  powerOf: (device: Row) => number | null | undefined;
  /** A text that the search covers, in addition to name, external ID and end use. */
  textOf?: (device: Row) => string;
  searchLabel?: string;
  /** Shown after the name. */
  place?: Column<Row>;
  renderActions?: (device: Row) => ReactNode;
  /** Whether the user is an administrator. */
  canChange: boolean;
}

/** The devices with their power and last reading, and a selection to change several at once. */
export function DeviceList<Row extends Listed>(props: DeviceListProps<Row>) {
  const { devices, powerOf, textOf, searchLabel, place, renderActions, canChange } = props;
  const t = useTranslations('sites');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const choose = (next: ReadonlySet<string> | null) => {
    setChosen(next);
    // A finished action ends the selection, which removes the button that started the action.
    if (next === null) chooseButton.current?.focus();
  };

  const tree = inTreeOrder(devices, ({ id, parentDeviceId }) => [id, parentDeviceId]);
  const levels = new Map(tree.map(({ device, level }) => [device.id, level]));
  const names = new Map(devices.map(({ id, name }) => [id, name]));
  const renderName = (device: Row) => (
    <DeviceName device={device} level={levels.get(device.id) ?? 0} parent={names.get(device.parentDeviceId ?? '')} />
  );
  const columns: Column<Row>[] = [
    {
      id: 'name',
      header: tTerms('device'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: (device) =>
        chosen === null ? (
          renderName(device)
        ) : (
          <span className={classes.choice}>
            <label className={classes.box} htmlFor={`choose-${device.id}`}>
              <Checkbox
                id={`choose-${device.id}`}
                aria-label={t('several.chooseOne', { name: device.name })}
                checked={chosen.has(device.id)}
                onChange={() => setChosen(chosen.symmetricDifference(new Set([device.id])))}
              />
            </label>
            {renderName(device)}
          </span>
        ),
    },
    ...(place === undefined ? [] : [place]),
    {
      id: 'state',
      header: tTerms('state'),
      sortBy: (device) => -deviceStates.indexOf(deviceState(device, nowMs)),
      renderCell: (device) => {
        const state = deviceState(device, nowMs);
        const seconds = deviceLimits(device.expectedIntervalSeconds).offlineAfterSeconds;
        return (
          <span
            title={
              state === 'late' || state === 'offline'
                ? t('device.offlineAfter', { duration: format.duration(seconds) })
                : undefined
            }
          >
            <DeviceStateChip state={state} />
          </span>
        );
      },
    },
    {
      id: 'power',
      header: tTerms('powerNow'),
      align: 'end',
      sortBy: (device) => powerOf(device) ?? null,
      renderCell: (device) => {
        const powerKw = powerOf(device);
        if (powerKw === null) return null;
        if (powerKw === undefined) return <Skeleton height={14} width={64} display="inline-block" />;
        return <span className={`${classes.power} figures`}>{format.power(powerKw)}</span>;
      },
    },
    {
      id: 'last',
      header: tTerms('lastReading'),
      sortBy: ({ lastMeasuredAt }) => instantOf(lastMeasuredAt),
      renderCell: (device) => (device.lastMeasuredAt === null ? null : <LastReading at={device.lastMeasuredAt} />),
    },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (device) => (
        <span className={classes.actions}>
          <LinkButton
            to="/measurements"
            search={{ ...keptRange(), devices: device.id }}
            variant="subtle"
            size="compact-sm"
            aria-label={t('device.readingsOf', { name: device.name })}
            leftSection={<IconChartLine size={16} stroke={1.75} aria-hidden />}
          >
            <span className={classes.linkText}>{tTerms('readings')}</span>
          </LinkButton>
          {renderActions?.(device)}
        </span>
      ),
    },
  ];
  return (
    <Panel
      flush
      title={tTerms('devices')}
      actions={
        canChange &&
        (chosen !== null || devices.length > 1) && (
          // The same button does both, so that it keeps the focus.
          <Button
            ref={chooseButton}
            variant="default"
            size="compact-sm"
            onClick={() => setChosen(chosen === null ? new Set() : null)}
          >
            {chosen === null ? t('several.choose') : tCommon('done')}
          </Button>
        )
      }
    >
      <ListTable
        label={tTerms('devices')}
        columns={columns}
        rows={tree.map(({ device }) => device)}
        rowKey={({ id }) => id}
        textOf={(device) => `${device.name} ${device.externalId} ${device.endUse ?? ''} ${textOf?.(device) ?? ''}`}
        {...(searchLabel === undefined ? {} : { searchLabel })}
        renderTools={(found) =>
          chosen !== null && <SeveralDevices devices={devices} found={found} chosen={chosen} onChoose={choose} />
        }
      />
    </Panel>
  );
}

function DeviceName({ device, level, parent }: { device: Listed; level: number; parent: string | undefined }) {
  const t = useTranslations('sites.device');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const { endUse, expectedIntervalSeconds, ratedPowerKw = null } = device;
  const facts = [
    parent === undefined ? null : tTerms('partOf', { name: parent }),
    endUse,
    ratedPowerKw === null
      ? null
      : t('rated', { power: `${format.number(ratedPowerKw, Number.isInteger(ratedPowerKw) ? 0 : undefined)}\u00a0kW` }),
    expectedIntervalSeconds === null
      ? null
      : t('every', { duration: format.duration(expectedIntervalSeconds, 'short') }),
  ].filter((fact) => fact !== null);
  return (
    <span className={classes.device} style={{ paddingInlineStart: `${level * indentRem}rem` }}>
      <LinkAnchor
        to="/sites/$siteId/devices/$deviceId"
        params={{ siteId: device.siteId, deviceId: device.id }}
        search={keptRange()}
        className={classes.name}
      >
        {device.name}
      </LinkAnchor>
      <span className={classes.facts}>
        <code className={classes.externalId}>{device.externalId}</code>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
    </span>
  );
}
