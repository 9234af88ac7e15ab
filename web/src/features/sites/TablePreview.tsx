import { Alert, Anchor } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Message, MessageParam } from '../../../../shared/messages.ts';
import { maxTableRows, type TableCheck } from '../../../../shared/site-table.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { isPlainDecimal } from '../../lib/decimal.ts';
import { inLanguage } from '../../lib/i18n/error-texts.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import classes from './ImportTablePage.module.css';
import { type SiteTable, type TableField, tableFields } from './site-table.ts';
import { tableCheckQuery, useCreateTable } from './queries.ts';
import { useSourceNames, useTableHeadings } from './use-table-headings.ts';

const maxShown = 200;
/** At most this many are listed above the table. */
const maxListed = 20;
/** A column of the given width; characters. */
const longText = 40;

interface TablePreviewProps {
  table: SiteTable;
  /** Whether the text is still the text from which the table was read. While it is being changed, it cannot be imported. */
  isSettled: boolean;
}

/** Shows what the table would create, with every invalid cell marked, and then imports it. */
export function TablePreview({ table, isSettled }: TablePreviewProps) {
  const t = useTranslations('sites.import');
  const tTerms = useTranslations('terms');
  const errorText = useErrorText();
  const isTooLong = table.rows.length > maxTableRows;
  const hasSites = table.fields.includes('site');
  const rows = table.rows.map(({ values }) => values);
  const check = useQuery({ ...tableCheckQuery(rows), enabled: hasSites && !isTooLong });
  const found = check.isPlaceholderData || !isSettled ? undefined : check.data;
  const barrier = !hasSites
    ? t('noSiteColumn')
    : isTooLong
      ? t('tooManyRows', { count: table.rows.length, max: maxTableRows })
      : check.isError
        ? errorText(check.error)
        : null;
  return (
    <>
      {table.unknown.length > 0 && (
        <Alert color="yellow">{t('unknown', { count: table.unknown.length, columns: table.unknown.join(', ') })}</Alert>
      )}
      {barrier === null ? (
        <Panel
          flush
          title={tTerms('preview')}
          description={<Outcome found={found} />}
          actions={<Create rows={rows} found={found} />}
        >
          <Rows table={table} found={found} />
        </Panel>
      ) : (
        <Alert color="red" role="alert">
          {barrier}
        </Alert>
      )}
    </>
  );
}

function Outcome({ found }: { found: TableCheck | undefined }) {
  const t = useTranslations('sites.import');
  const count = found?.problems.length ?? 0;
  return (
    <span role="status">
      {found === undefined ? (
        t('checking')
      ) : (
        <span className={count === 0 ? undefined : classes.problem}>
          {count === 0 ? t('allRight') : t('problems', { count })}
        </span>
      )}
    </span>
  );
}

function Create({ rows, found }: { rows: SiteTable['rows'][number]['values'][]; found: TableCheck | undefined }) {
  const t = useTranslations('sites.import');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const create = useCreateTable();
  const isReady = found !== undefined && found.problems.length === 0;
  // Kept until the user leaves the page, because importing the same rows again would be rejected.
  const isSent = useRef(false);
  const submit = () => {
    if (isSent.current) return;
    isSent.current = true;
    create.mutate(rows, {
      onSuccess: (counts) => {
        notifications.show({ color: 'green', message: t('done', counts) });
        void navigate({ to: '/sites', ignoreBlocker: true });
      },
      onError: (error) => {
        isSent.current = false;
        notifications.show({ color: 'red', message: errorText(error) });
      },
    });
  };
  return (
    <ReasonedButton data-sends reason={isReady ? null : t('notYet')} loading={create.isPending} onClick={submit}>
      {isReady ? t('submit', { sites: found.sites, devices: found.devices }) : tCommon('create')}
    </ReasonedButton>
  );
}

function Rows({ table, found }: { table: SiteTable; found: TableCheck | undefined }) {
  const t = useTranslations('sites.import');
  const tTerms = useTranslations('terms');
  const headings = useTableHeadings();
  const problems = Map.groupBy(found?.problems ?? [], ({ row }) => row);
  // A field without a column may be missing.
  const fields = new Set<string>([...table.fields, ...(found?.problems ?? []).map(({ field }) => field)]);
  const all = table.rows.map((row, at) => ({
    ...row,
    problems: (problems.get(at) ?? []).map((problem) => ({ ...problem, refusal: withRowsOf(table, problem.refusal) })),
  }));
  const shown = all
    .toSorted((a, b) => Math.min(b.problems.length, 1) - Math.min(a.problems.length, 1))
    .slice(0, maxShown);
  type Row = (typeof all)[number];
  const columns: Column<Row>[] = [
    {
      id: 'row',
      header: t('rowHeading'),
      kind: 'name',
      renderCell: ({ number }) => <span className={classes.line}>{t('row', { number })}</span>,
    },
    ...tableFields
      .filter((field) => fields.has(field))
      .map((field): Column<Row> => ({
        id: field,
        header: headings[field],
        renderCell: ({ number, texts, values, problems }) => (
          <TableCell
            id={cellId(number, field)}
            field={field}
            text={texts[field] ?? ''}
            value={values[field]}
            problem={problemOf(problems, field)}
          />
        ),
      })),
  ];
  return (
    <>
      {shown.length < all.length && (
        <p className={classes.shown}>{t('shown', { shown: shown.length, count: all.length })}</p>
      )}
      <Problems rows={shown} />
      <ResponsiveTable
        isWide
        label={tTerms('preview')}
        columns={columns}
        rows={shown}
        rowKey={({ number }) => String(number)}
      />
    </>
  );
}

const cellId = (row: number, field: string) => `cell-${row}-${field}`;

const problemOf = (problems: TableCheck['problems'], field: string): string | undefined => {
  const problem = problems.find((one) => one.field === field);
  return problem === undefined ? undefined : inLanguage(problem.message, problem.refusal);
};

/** The portal counts only the rows that it receives: those after the headings, without empty rows. */
function withRowsOf(table: SiteTable, message: Message): Message {
  const numbered = Object.entries(message.params).map(([name, value]): [string, MessageParam] => {
    if (typeof value === 'object') return [name, withRowsOf(table, value)];
    return [name, name === 'row' ? (table.rows[Number(value) - 2]?.number ?? value) : value];
  });
  return { ...message, params: Object.fromEntries(numbered) };
}

interface ProblemsProps {
  rows: readonly { number: number; problems: readonly TableCheck['problems'][number][] }[];
}

/** The errors. Each has a link to its cell, which may be out of sight. */
function Problems({ rows }: ProblemsProps) {
  const t = useTranslations('sites.import');
  const headings = useTableHeadings();
  const explain = useCellReasons();
  const all = rows.flatMap(({ number, problems }) => problems.map((problem) => ({ ...problem, number })));
  if (all.length === 0) return null;
  return (
    <ul className={classes.problems} aria-label={t('problemList')}>
      {all.slice(0, maxListed).map(({ number, field, message, refusal }) => {
        const known = tableFields.find((one) => one === field);
        return (
          <li key={`${cellId(number, field)} ${message}`}>
            <Anchor component="button" type="button" size="sm" onClick={() => goTo(cellId(number, field))}>
              {t('cell', { row: String(number), column: known === undefined ? field : headings[known] })}
            </Anchor>{' '}
            <span className={classes.problem}>
              {known === undefined ? inLanguage(message, refusal) : explain(known, inLanguage(message, refusal))}
            </span>
          </li>
        );
      })}
      {all.length > maxListed && <li>{t('moreProblems', { count: all.length - maxListed })}</li>}
    </ul>
  );
}

function goTo(id: string): void {
  const cell = document.getElementById(id);
  cell?.scrollIntoView({ block: 'center', inline: 'center' });
  cell?.focus({ preventScroll: true });
}

interface TableCellProps {
  id: string;
  field: TableField;
  text: string;
  /** The value as it was read. */
  value: unknown;
  problem: string | undefined;
}

function TableCell({ id, field, text, value, problem }: TableCellProps) {
  const tCommon = useTranslations('common');
  const { ungrouped, decimalSeparator } = useFormat();
  const explain = useCellReasons();
  if (text === '' && problem === undefined) return null;
  return (
    <span
      id={id}
      className={classes.cell}
      data-long={text.length > longText || undefined}
      {...(problem !== undefined && { 'data-bad': true, tabIndex: -1 })}
    >
      <span>{text}</span>
      {typeof value === 'number' && !isPlainDecimal(text, decimalSeparator) && (
        <span className={classes.readAs}>{tCommon('readAs', { value: ungrouped(value, 10) })}</span>
      )}
      {problem !== undefined && <span className={classes.problem}>{explain(field, problem)}</span>}
    </span>
  );
}

/** Explains the error of a cell. If the cell accepts certain words, the page's words are listed and not those of the portal. */
function useCellReasons() {
  const t = useTranslations('sites.import');
  const tCommon = useTranslations('common');
  const sourceNames = useSourceNames();
  const quoted = Object.values(sourceNames).map((name) => t('quoted', { name }));
  return (field: TableField, problem: string): string =>
    field === 'isActive'
      ? t('takesYesNo', { yes: tCommon('yes'), no: tCommon('no') })
      : field === 'energySource'
        ? t('takesOneOf', { names: quoted.join(', ') })
        : problem;
}
