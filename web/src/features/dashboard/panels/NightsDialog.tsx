import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { BaseLoad } from '../../../../../shared/dashboard.ts';
import { CsvButton } from '../../../charts/TableToggle.tsx';
import type { CsvTable } from '../../../lib/csv.ts';
import { unknownValue } from '../../../../../shared/format.ts';
import { searchFor } from '../../../../../shared/search-text.ts';
import { linkedRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { numberColumn, VirtualTable, type VirtualColumn } from '../../../ui/virtual-table/VirtualTable.tsx';
import classes from '../Dashboard.module.css';
import { nightsQuery } from '../queries.ts';
import type { DashboardSearch } from '../search.ts';

type Ranked = BaseLoad['devices'][number];

interface NightsDialogProps {
  search: DashboardSearch;
  timeZone: string;
  onClose: () => void;
}

const maxHeight = 460;
const rowHeight = 34;
/** A list shorter than this needs no search. */
const searchedFrom = 15;

/** Shows which devices use power at night: the base load of each, with its energy and cost per year. */
export function NightsDialog({ search, timeZone, onClose }: NightsDialogProps) {
  const title = useTranslations('panels.nights')('title');
  return (
    <Dialog opened={search.nights === true} onClose={onClose} size="wide" title={title}>
      <Loaded
        queries={[useQuery({ ...nightsQuery(search, timeZone), enabled: search.nights === true })]}
        skeleton={<RowsSkeleton rows={6} />}
      >
        {(answer) => <Ranking answer={answer} search={search} title={title} />}
      </Loaded>
    </Dialog>
  );
}

function Ranking({ answer, search, title }: { answer: BaseLoad; search: DashboardSearch; title: string }) {
  const t = useTranslations('panels.nights');
  const tBase = useTranslations('dashboard.baseLoad');
  const tTerms = useTranslations('terms');
  const mainMeter = useTranslations('dashboard.deviceEnergy')('partOfColumn');
  const format = useFormat();
  const isNarrow = useIsNarrow();
  const [text, setText] = useState('');
  const { devices, firstNight, lastNight } = answer;
  if (devices.length === 0 || firstNight === null || lastNight === null) return <p>{tBase('fewNights')}</p>;
  const names = new Map(devices.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const mainMeterOf = ({ countedIn }: Ranked) => names.get(countedIn ?? '') ?? null;
  const isFound = searchFor(text);
  const found = devices.filter(({ deviceName, siteName }) => isFound(`${deviceName} ${siteName}`));
  const columns: VirtualColumn<Ranked>[] = [
    {
      id: 'device',
      header: tTerms('device'),
      minRem: isNarrow ? 9 : 13,
      isSticky: true,
      cell: (one) => linkTo(one, search),
    },
    numberColumn('power', tBase('title'), 'kW', ({ baseLoadKw }) => format.number(baseLoadKw)),
    numberColumn('energy', t('energy'), 'kWh', ({ energyPerYearKwh }) => format.number(energyPerYearKwh)),
    numberColumn('cost', t('cost'), '', ({ cost }) =>
      cost === null ? unknownValue : format.moneyAbout(cost.perYear, cost.currency),
    ),
    numberColumn('nights', t('nights'), '', ({ nightCount }) => format.integer(nightCount)),
    { id: 'site', header: tTerms('site'), minRem: 9.5, cell: ({ siteName }) => siteName },
    ...(devices.some(({ countedIn }) => countedIn !== null)
      ? [{ id: 'partOf', header: mainMeter, minRem: 8, cell: mainMeterOf }]
      : []),
  ];
  const csv = (): CsvTable => ({
    name: title,
    header: [
      tTerms('device'),
      tTerms('site'),
      mainMeter,
      `${tBase('title')} (kW)`,
      `${t('energy')} (kWh)`,
      t('cost'),
      t('currency'),
      t('nights'),
    ],
    rows: devices.map((one) => [
      one.deviceName,
      one.siteName,
      mainMeterOf(one),
      one.baseLoadKw,
      one.energyPerYearKwh,
      one.cost?.perYear ?? null,
      one.cost?.currency ?? null,
      one.nightCount,
    ]),
  });
  return (
    <>
      <Group justify="space-between" mb="xs">
        {devices.length >= searchedFrom && (
          <SearchField label={tTerms('searchDevices')} value={text} onChange={setText} found={found.length} />
        )}
        <CsvButton table={csv} />
      </Group>
      <VirtualTable
        label={t('table')}
        columns={columns}
        rowCount={found.length}
        getRow={(index) => found[index]}
        height={Math.min(maxHeight, found.length * rowHeight + 56)}
      />
      <p className={classes.note}>
        {t('note', { nights: format.dateSpan(Date.parse(firstNight), Date.parse(lastNight), 'UTC') })}
      </p>
    </>
  );
}

const linkTo = ({ deviceId, siteId, deviceName }: Ranked, search: DashboardSearch) => (
  <LinkAnchor to="/sites/$siteId/devices/$deviceId" params={{ siteId, deviceId }} search={linkedRange(search)}>
    {deviceName}
  </LinkAnchor>
);
