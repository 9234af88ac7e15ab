import { useTranslations } from 'use-intl';
import type { AuditEvent } from '../../../../shared/audit.ts';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import classes from './AuditSection.module.css';
import { type AuditChange, changesOf, inWords } from './audit-values.ts';
import { useAuditWords } from './use-audit-words.ts';

/** Everything that is known of an event: who, when, from where, and each field before and after. */
export function AuditDetails({ event }: { event: AuditEvent }) {
  const t = useTranslations('settings.audit');
  const tCommon = useTranslations('common');
  const tTerms = useTranslations('terms');
  const { words, subject, who, where, when } = useAuditWords();
  const facts = [
    [t('kind'), subject(event)],
    [t('columns.who'), who(event)],
    [tTerms('when'), when(event)],
    [t('columns.where'), where(event)],
    [t('event'), event.id],
  ] as const;
  const columns: Column<AuditChange>[] = [
    { id: 'field', header: tCommon('conflict.field'), kind: 'name', renderCell: ({ field }) => words.fieldName(field) },
    {
      id: 'before',
      header: tTerms('before'),
      renderCell: ({ field, before }) => <span className={classes.value}>{inWords(field, before, words)}</span>,
    },
    {
      id: 'after',
      header: tTerms('after'),
      renderCell: ({ field, after }) => <span className={classes.value}>{inWords(field, after, words)}</span>,
    },
  ];
  const changes = changesOf(event);
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([name, value]) =>
          value === null ? null : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>],
        )}
      </dl>
      {changes.length === 0 ? (
        <p>{t('nothingDiffers')}</p>
      ) : (
        <ResponsiveTable label={t('changes')} columns={columns} rows={changes} rowKey={({ field }) => field} />
      )}
    </>
  );
}
