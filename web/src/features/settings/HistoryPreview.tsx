import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { DelimitedRecord } from '../../lib/delimited.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import { type HistoryMapping, type JudgedHistoryRow, readHistoryRow } from './history-rows.ts';
import { HistoryTimes } from './history-times.ts';
import section from './section.module.css';
import { useHistoryReasons } from './use-history-reasons.ts';

const shownRows = 10;

/** How the first rows are read. */
export function HistoryPreview({ records, mapping }: { records: readonly DelimitedRecord[]; mapping: HistoryMapping }) {
  const t = useTranslations('settings.history');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const explain = useHistoryReasons();
  const headingId = useId();
  const times = new HistoryTimes(mapping.timeZone, mapping.dateOrder);
  const rows = records.slice(0, shownRows).map((record) => readHistoryRow(record, mapping, times));
  const columns: Column<JudgedHistoryRow>[] = [
    {
      id: 'line',
      header: t('previewColumns.line'),
      kind: 'name',
      renderCell: ({ line }) => <span className={section.dimmed}>{t('line', { line })}</span>,
    },
    { id: 'device', header: tTerms('externalId'), renderCell: ({ externalId }) => <code>{externalId}</code> },
    {
      id: 'time',
      header: tTerms('time'),
      renderCell: (judged) =>
        'row' in judged ? format.dateTimeSeconds(judged.row.time, mapping.timeZone) : <code>{judged.time}</code>,
    },
    {
      id: 'power',
      header: tTerms('power'),
      align: 'end',
      renderCell: (judged) =>
        'row' in judged && typeof judged.row.activePowerKw === 'number' ? format.power(judged.row.activePowerKw) : null,
    },
    {
      id: 'verdict',
      header: tTerms('verdict'),
      renderCell: (judged) =>
        'row' in judged ? (
          <StatusChip tone="good">{t('readable')}</StatusChip>
        ) : (
          <StatusChip tone="bad">
            <span className={section.wrapping}>{explain(judged)}</span>
          </StatusChip>
        ),
    },
  ];
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId} className={section.subheading}>
        {t('preview')}
      </h3>
      <ResponsiveTable label={t('preview')} columns={columns} rows={rows} rowKey={({ line }) => String(line)} />
    </section>
  );
}
