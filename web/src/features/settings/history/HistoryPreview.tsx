import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { useTranslations } from 'use-intl';
import type { DelimitedRecord } from '../../../lib/delimited.ts';
import { devicesQuery } from '../../../lib/devices.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import { listIntervalEnergies, stepOf } from './history-guesses.ts';
import { HistoryReader } from './history-reader.ts';
import {
  hasIntervals,
  type HistoryMapping,
  type JudgedHistoryRow,
  lacksPower,
  listExternalIds,
  type NumberField,
  numberFields,
} from './history-rows.ts';
import section from '../section.module.css';
import { useHistoryFields, useHistoryReasons } from './use-history-texts.ts';

const shownRows = 10;
const shownUnknown = 20;

/** The file as text, shown next to its interpretation. */
type Row = JudgedHistoryRow & { fields: readonly string[] };

function firstRows(records: readonly DelimitedRecord[], mapping: HistoryMapping): Row[] {
  const reader = new HistoryReader(mapping);
  const judged = new Map(
    [...records.flatMap((record) => reader.read(record)), ...reader.end()].map((row) => [row.line, row]),
  );
  return records.slice(0, shownRows).flatMap(({ line, fields }) => {
    const row = judged.get(line);
    return row === undefined ? [] : [{ ...row, fields }];
  });
}

/** How the first rows are read. Shows every number as it would be stored, and the devices that do not exist. */
export function HistoryPreview({ records, mapping }: { records: readonly DelimitedRecord[]; mapping: HistoryMapping }) {
  const t = useTranslations('settings.history');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const explain = useHistoryReasons();
  const nameOf = useHistoryFields();
  const headingId = useId();
  const devices = useQuery(devicesQuery).data;
  const known = devices && new Set(devices.map(({ externalId }) => externalId));
  const isUnknown = (externalId: string) => known?.has(externalId) === false;
  const intervals = useMemo(() => listIntervalEnergies(records, mapping), [records, mapping]);
  const isOfIntervals = hasIntervals(mapping);
  const step = useMemo(() => stepOf(records, mapping), [records, mapping]);
  const unknown = listExternalIds(records, mapping).filter(isUnknown);
  const rows = useMemo(() => firstRows(records, mapping), [records, mapping]);
  const timeOf = (startMs: number) =>
    isOfIntervals
      ? format.dateTimeSpan(startMs, startMs + mapping.intervalMinutes * 60_000, mapping.timeZone)
      : format.dateTimeSeconds(startMs, mapping.timeZone);
  const columns: Column<Row>[] = [
    {
      id: 'line',
      header: t('previewColumns.line'),
      kind: 'name',
      renderCell: ({ line }) => <span className={section.dimmed}>{t('line', { line })}</span>,
    },
    {
      id: 'verdict',
      header: tTerms('verdict'),
      renderCell: (judged) =>
        'row' in judged && isUnknown(judged.externalId) ? (
          <StatusChip tone="bad">{t('unknownDevice')}</StatusChip>
        ) : 'row' in judged ? (
          <StatusChip tone="good">{t('readable')}</StatusChip>
        ) : (
          <StatusChip tone="bad">
            <span className={section.wrapping}>{explain(judged)}</span>
          </StatusChip>
        ),
    },
    { id: 'device', header: tTerms('externalId'), renderCell: ({ externalId }) => <code>{externalId}</code> },
    {
      id: 'time',
      header: tTerms('time'),
      renderCell: (judged) => ('row' in judged ? timeOf(judged.startMs) : <code>{judged.time}</code>),
    },
    ...numberFields
      .filter((field) => mapping.columns[field] !== undefined || (field === 'activePowerKw' && lacksPower(mapping)))
      .map((field): Column<Row> => ({
        id: field,
        header: nameOf(field),
        align: 'end',
        renderCell: (judged) => {
          if (!('row' in judged)) return <code>{judged.fields[mapping.columns[field] ?? -1]}</code>;
          const value = judged.values[field];
          return typeof value === 'number' ? <Value field={field} value={value} /> : null;
        },
      })),
  ];
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId} className={section.subheading}>
        {t('preview')}
      </h3>
      {unknown.length > 0 && <UnknownDevices externalIds={unknown} />}
      {intervals.map((register) => (
        <Alert key={register} color="yellow" my="sm">
          {t('notARegister', { field: nameOf(register) })}
        </Alert>
      ))}
      {lacksPower(mapping) && <p className={section.dimmed}>{t('meanPowerHint')}</p>}
      {isOfIntervals && <p className={section.dimmed}>{t('intervalsHint')}</p>}
      {isOfIntervals && step !== null && step !== mapping.intervalMinutes && (
        <Alert color="yellow" my="sm">
          {t('otherInterval', { step: format.duration(step * 60) })}
        </Alert>
      )}
      <ResponsiveTable isWide label={t('preview')} columns={columns} rows={rows} rowKey={({ line }) => String(line)} />
    </section>
  );
}

const units: Partial<Record<NumberField, string>> = {
  activePowerKw: '\u00a0kW',
  importedPerInterval: '\u00a0kWh',
  exportedPerInterval: '\u00a0kWh',
};

/** Numbers have every digit, so that a wrong decimal separator is visible. */
function Value({ field, value }: { field: NumberField; value: number }) {
  const text = useFormat().ungrouped(value, 10);
  return <span className="figures">{`${text}${units[field] ?? ''}`}</span>;
}

/** Links that create missing devices. They open in another tab, because this one holds the file. */
function UnknownDevices({ externalIds }: { externalIds: readonly string[] }) {
  const t = useTranslations('settings.history');
  const tIncoming = useTranslations('settings.incoming');
  const rest = externalIds.length - shownUnknown;
  return (
    <Alert color="yellow" my="sm">
      {t('unknownDevices', { count: externalIds.length })}
      <ul className={section.devices}>
        {externalIds.slice(0, shownUnknown).map((externalId) => (
          <li key={externalId}>
            <LinkAnchor
              to="/sites"
              search={{ newDevice: externalId }}
              target="_blank"
              aria-label={tIncoming('createNamed', { externalId })}
              className={section.name}
            >
              {externalId}
            </LinkAnchor>
          </li>
        ))}
        {rest > 0 && <li>{t('andMore', { count: rest })}</li>}
      </ul>
    </Alert>
  );
}
