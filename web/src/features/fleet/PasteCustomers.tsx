import { Alert, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type Customer, createdCustomer } from '../../../../shared/fleet.ts';
import { customersPath } from '../../entities/customers.ts';
import { delimitedLine, NoTableError } from '../../lib/delimited.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { ApiError, fetchJson } from '../../lib/http.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { type Column, ResponsiveTable } from '../../ui/ResponsiveTable.tsx';
import { ShownOnce } from '../../ui/ShownOnce.tsx';
import { type CustomerRow, maxPastedRows, readCustomerRows } from './customer-rows.ts';
import { useRenewCustomers } from './queries.ts';
import classes from './Fleet.module.css';

/** The remaining rows of a pasted table: those that were not created, by code, with the reason. */
export interface Pasted {
  text: string;
  refusals: ReadonlyMap<string, string>;
}

/** Customers that were just created. */
export interface IssuedTokens {
  lines: readonly string[];
  left: (Pasted & { count: number }) | null;
}

const maxCharacters = 200_000;

interface PasteFormProps {
  pasted: Pasted;
  customers: readonly Customer[];
  onCreated: (issued: IssuedTokens) => void;
  onCancel: () => void;
}

/** Creates customers from the rows of a spreadsheet. First it shows how it reads the rows. */
export function PasteForm({ pasted, customers, onCreated, onCancel }: PasteFormProps) {
  const t = useTranslations('fleet.customers.paste');
  const [text, setText] = useState(pasted.text);
  const [refusals, setRefusals] = useState(pasted.refusals);
  const headings = useHeadings();
  const taken = new Set(customers.map(({ code }) => code));
  const rows = readRows(text, headings, taken);
  const create = useCreateAll();
  const isTooLong = rows !== null && rows.length > maxPastedRows;
  const isReady = rows !== null && rows.length > 0 && !isTooLong && rows.every(({ problem }) => problem === null);
  const submit = () =>
    create.mutate(rows ?? [], {
      onSuccess: ({ lines, left }) => {
        if (lines.length > 0) return onCreated({ lines, left });
        setRefusals(left?.refusals ?? new Map());
      },
    });
  return (
    <DialogForm
      onSubmit={submit}
      refusal={
        rows === null ? t('notReadable') : isTooLong ? t('tooMany', { count: rows.length, max: maxPastedRows }) : null
      }
      submitLabel={t('submit', { count: rows?.length ?? 0 })}
      isPending={create.isPending}
      isDisabled={!isReady}
      onCancel={onCancel}
    >
      <Textarea
        data-autofocus
        label={t('table')}
        description={t('hint', { max: maxPastedRows })}
        autosize
        minRows={4}
        maxRows={8}
        maxLength={maxCharacters}
        spellCheck={false}
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
      />
      {rows !== null && rows.length > 0 && !isTooLong && <Preview rows={rows} refusals={refusals} />}
    </DialogForm>
  );
}

/** The accepted names of the columns, in lower case. */
function useHeadings(): readonly string[] {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const name = useTranslations('common')('name');
  return ['name', 'code', name, tTerms('customer'), t('code'), t('group'), t('notes')].map((one) => one.toLowerCase());
}

/** Null if the text is not a table. */
function readRows(...table: Parameters<typeof readCustomerRows>): CustomerRow[] | null {
  try {
    return readCustomerRows(...table);
  } catch (error) {
    if (error instanceof NoTableError) return null;
    throw error;
  }
}

function Preview({ rows, refusals }: { rows: readonly CustomerRow[]; refusals: Pasted['refusals'] }) {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const name = useTranslations('common')('name');
  const problemOf = ({ problem, values: { code } }: CustomerRow) =>
    problem === null
      ? (refusals.get(code) ?? null)
      : problem === 'code'
        ? t('codeInvalid')
        : t(`paste.problems.${problem}`);
  const columns: Column<CustomerRow>[] = [
    { id: 'name', header: name, kind: 'name', renderCell: ({ values }) => values.name },
    { id: 'code', header: t('code'), renderCell: ({ values }) => values.code },
    { id: 'group', header: t('group'), renderCell: ({ values }) => values.group },
    { id: 'notes', header: t('notes'), renderCell: ({ values }) => values.notes },
    {
      id: 'problem',
      header: tTerms('verdict'),
      renderCell: (row) => {
        const problem = problemOf(row);
        return problem === null ? t('paste.ready') : <span className={classes.problem}>{problem}</span>;
      },
    },
  ];
  return (
    <ResponsiveTable
      isWide
      label={tTerms('preview')}
      columns={columns}
      rows={rows}
      rowKey={({ line }) => String(line)}
    />
  );
}

/** Creates one customer after the other. If the portal does not answer, the remaining ones are not tried. */
function useCreateAll() {
  const errorText = useErrorText();
  const renew = useRenewCustomers();
  return useMutation({
    mutationFn: async (rows: readonly CustomerRow[]): Promise<IssuedTokens> => {
      const lines: string[] = [];
      const left: CustomerRow[] = [];
      const refusals = new Map<string, string>();
      let isLost = false;
      for (const row of rows) {
        const { values: json } = row;
        try {
          if (isLost) throw new NotTried();
          const { customer, token } = await fetchJson(customersPath, createdCustomer, { method: 'POST', json });
          lines.push(`${customer.code}\t${token}`);
        } catch (error) {
          left.push(row);
          if (error instanceof NotTried) continue;
          isLost = !(error instanceof ApiError && error.status < 500 && error.status !== 401);
          refusals.set(json.code, errorText(error));
        }
      }
      const text = left
        .map(({ values: { name, code, group, notes } }) => delimitedLine([name, code, group ?? '', notes ?? ''], '\t'))
        .join('');
      return { lines, left: left.length === 0 ? null : { text, refusals, count: left.length } };
    },
    onSettled: renew,
    // Not kept, because the answers contain tokens.
    gcTime: 0,
  });
}

class NotTried extends Error {
  override readonly name = 'NotTried';
}

/** Shows the tokens of several new customers. They are shown only once. */
export function NewTokens({ issued: { lines, left }, onDone }: { issued: IssuedTokens; onDone: () => void }) {
  const t = useTranslations('fleet.customers.paste');
  return (
    <ShownOnce
      // A table with a header, so that it can be pasted; even for one customer.
      secret={['code\ttoken', ...lines].join('\n')}
      label={t('tokens')}
      copyLabel={t('copyTokens')}
      warning={t('tokensOnce')}
      notCopied={t('tokensNotCopied')}
      onDone={onDone}
    >
      {() =>
        left === null ? (
          <Text size="sm">{t('settings')}</Text>
        ) : (
          <Alert color="yellow">{t('left', { count: left.count })}</Alert>
        )
      }
    </ShownOnce>
  );
}
