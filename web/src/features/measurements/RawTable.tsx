import { useState, type Ref } from 'react';
import { useTranslations } from 'use-intl';
import type { RawMeasurementRow } from '../../../../shared/measurements.ts';
import { quantities, type QuantityName } from '../../../../shared/quantities.ts';
import type { Format } from '../../../../shared/format.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import {
  numberColumn,
  VirtualTable,
  type VirtualColumn,
  type VirtualTableHandle,
} from '../../ui/virtual-table/VirtualTable.tsx';
import classes from './Measurements.module.css';
import { measuredQuantities } from './raw-columns.ts';
import type { useRawRows } from './use-raw-rows.ts';

interface RawTableProps {
  rows: ReturnType<typeof useRawRows>;
  label: string;
  timeZone: string;
  onSeenRows: (start: number, end: number) => void;
  ref: Ref<VirtualTableHandle>;
}

/** Before the first page arrives, this many rows look like a table. */
const expectedRows = 20;
const tableHeight = 520;
const none: readonly QuantityName[] = ['activePowerKw'];

/** The rows, with a column for each quantity that occurs. On a narrow screen the device is below the time. */
export function RawTable({ rows, label, timeZone, onSeenRows, ref }: RawTableProps) {
  const t = useTranslations('measurements');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const isNarrow = useIsNarrow();
  const [known, setKnown] = useState(none);
  const measured = measuredQuantities(rows.pages, known);
  if (measured !== known) setKnown(measured);
  const columns = rawColumns({ t, tTerms, format, timeZone, isNarrow, measured });
  return (
    <VirtualTable
      // Mount this again once the first page has arrived, because that page decides the columns.
      key={String(rows.totalCount === undefined)}
      ref={ref}
      label={label}
      columns={columns}
      rowCount={rows.totalCount ?? expectedRows}
      getRow={rows.getRow}
      rowHeight={isNarrow ? 48 : 34}
      height={tableHeight}
      onSeenRows={onSeenRows}
    />
  );
}

interface ColumnsParts {
  t: ReturnType<typeof useTranslations<'measurements'>>;
  tTerms: ReturnType<typeof useTranslations<'terms'>>;
  format: Format;
  timeZone: string;
  isNarrow: boolean;
  measured: readonly QuantityName[];
}

function rawColumns({
  t,
  tTerms,
  format,
  timeZone,
  isNarrow,
  measured,
}: ColumnsParts): VirtualColumn<RawMeasurementRow>[] {
  const time: VirtualColumn<RawMeasurementRow> = {
    id: 'time',
    header: isNarrow ? t('raw.timeAndDevice') : tTerms('time'),
    minRem: isNarrow ? 11.5 : 12,
    isSticky: true,
    cell: (row) => {
      const text = format.dateTimeSeconds(row.time, timeZone);
      if (!isNarrow) return <time dateTime={row.time}>{text}</time>;
      return (
        <span className={classes.timeAndDevice}>
          <time dateTime={row.time}>{text}</time>
          <span className={classes.deviceBelow}>{row.deviceName}</span>
        </span>
      );
    },
  };
  const names: VirtualColumn<RawMeasurementRow>[] = [
    { id: 'device', header: tTerms('device'), minRem: 9, cell: ({ deviceName }) => deviceName },
    { id: 'site', header: tTerms('site'), minRem: 9, cell: ({ siteName }) => siteName ?? '' },
  ];
  const values = quantities
    .filter(({ name }) => measured.includes(name))
    .map(({ name, unit = '', pageDecimals }) =>
      numberColumn(name, t(`quantities.${name}`), unit, (row: RawMeasurementRow) =>
        format.number(row[name], pageDecimals),
      ),
    );
  return [time, ...(isNarrow ? [] : names), ...values];
}
