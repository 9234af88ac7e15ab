import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { type Difference, saveOver } from './edit-conflict.ts';
import { fetchJson } from './http.ts';

/** What a field is called, at its input and between two versions, and its value as a person reads it. */
export interface RecordField<Values> {
  label: string;
  /** Without it, texts and numbers read as they are, and switches yes or no. */
  text?: (of: Values) => string;
}

/** Every field of a record that its form writes. */
export type RecordFields<Values> = { readonly [Field in keyof Values]-?: RecordField<Values> };

/** How records of a kind are stored. `Stored` has every field that is written. */
interface RecordKind<Values, Stored extends Values> {
  /** Where a new one is posted (seen: null), or this one is put. */
  urlOf: (seen: Stored | null) => string;
  query?: Readonly<Record<string, string | undefined>>;
  answer: z.ZodType<Stored>;
  versionOf: (stored: Stored) => string;
  /** What is stored now; undefined if it was deleted. */
  read: (seen: Stored) => Promise<Stored | undefined>;
  fields: Readonly<Record<string, RecordField<Values>>>;
  onSaved?: (saved: Stored) => void;
  /** Refreshes the pages that show it, even after a rejection. */
  renew?: () => unknown;
}

/** What is to be written over what was seen; without that it is created. */
interface Write<Values, Stored> {
  seen: Stored | null;
  values: Values;
}

/** Writes records of a kind, each over the version that was seen. Throws what `saveOver` does. */
export function useSaveRecord<Values extends object, Stored extends Values>(kind: RecordKind<Values, Stored>) {
  const tCommon = useTranslations('common');
  const textOf = (value: unknown): string =>
    typeof value === 'boolean' ? tCommon(value ? 'yes' : 'no') : String(value ?? '').trim();
  const textsOf = (of: Values): string[] => {
    const values = new Map<string, unknown>(Object.entries(of));
    return Object.entries(kind.fields).map(([field, { text }]) => text?.(of) ?? textOf(values.get(field)));
  };
  const describe = (mine: Values, theirs: Stored): Difference[] => {
    const [own, others] = [textsOf(mine), textsOf(theirs)];
    const labels = Object.values(kind.fields).map(({ label }) => label);
    return labels.map((label, at) => ({ label, mine: own[at] ?? '', theirs: others[at] ?? '' }));
  };
  const { urlOf, query = {}, answer, versionOf, read } = kind;
  return useMutation({
    mutationFn: ({ seen, values }: Write<Values, Stored>) =>
      saveOver<Stored, Stored>({
        seen,
        versionOf,
        write: (ifMatch) =>
          fetchJson(urlOf(seen), answer, { method: seen === null ? 'POST' : 'PUT', query, json: values, ifMatch }),
        read: async () => (seen === null ? undefined : read(seen)),
        describe: (theirs) => describe(values, theirs),
      }),
    onSuccess: (saved) => kind.onSaved?.(saved),
    onSettled: () => kind.renew?.(),
  });
}

/** The addresses of records of which each has its own. */
export const urlUnder =
  (path: string) =>
  (seen: { id: string } | null): string =>
    seen === null ? path : `${path}/${seen.id}`;

/** Reads a record from the list of all. */
export const readFromList =
  <Stored extends { id: string }>(path: string, answer: z.ZodType<Stored>) =>
  async (seen: { id: string }): Promise<Stored | undefined> =>
    (await fetchJson(path, z.array(answer))).find(({ id }) => id === seen.id);

/** A schema without what makes it optional, and without what is done to a value before it. */
export function innerOf(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return innerOf(schema.out instanceof z.ZodTransform ? schema.in : schema.out);
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? innerOf(schema.unwrap())
    : schema;
}

/** What is said of a field that the schema refuses, with its greatest value. */
export type Problems<Field extends string> = { readonly [Name in Field]?: (max: number | undefined) => string };

/**
 * What a schema refuses of a form, by field: in the words of `problems`, else a blank field as `required`. What the page has no
 * words for is left to the portal, which words it.
 */
export function problemsOf(
  schema: z.ZodObject,
  { typed, written }: { typed: object; written: object },
  problems: Problems<string>,
  required: string,
): Record<string, string> {
  const entries = new Map<string, unknown>(Object.entries(typed));
  const issues = schema.safeParse(written).error?.issues ?? [];
  const wrong = new Set(issues.map(({ path }) => String(path[0])));
  return Object.fromEntries(
    [...wrong.intersection(new Set(entries.keys()))].flatMap((field) => {
      const isBlank = String(entries.get(field) ?? '').trim() === '';
      const problem = problems[field]?.(maxValueOf(schema.shape[field])) ?? (isBlank ? required : undefined);
      return problem === undefined ? [] : [[field, problem]];
    }),
  );
}

/** The greatest number that a field takes; undefined without a limit. */
export function maxValueOf(schema: unknown): number | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.ZodNumber ? (inner.maxValue ?? undefined) : undefined;
}

/** The greatest length of a text that a field takes; undefined without a limit. */
export function maxLengthOf(schema: unknown): number | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.ZodString ? (inner.maxLength ?? undefined) : undefined;
}
