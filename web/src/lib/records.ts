import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { type Difference, saveOver } from './edit-conflict.ts';
import { fetchJson } from './http.ts';

/** The name of a field, at its input and in comparisons of versions, and its value in words. */
export interface RecordField<Values> {
  label: string;
  /** Without this, texts and numbers are shown as they are, and switches as yes or no. */
  text?: (of: Values) => string;
}

/** All fields of a record that its form writes. */
export type RecordFields<Values> = { readonly [Field in keyof Values]-?: RecordField<Values> };

/** How records of a kind are stored. `Stored` has every field that the form writes. */
interface RecordKind<Values, Stored extends Values> {
  /** The path to which a new record is posted (`seen` is null), or at which an existing one is replaced. */
  urlOf: (seen: Stored | null) => string;
  query?: Readonly<Record<string, string | undefined>>;
  answer: z.ZodType<Stored>;
  versionOf: (stored: Stored) => string;
  /** Reads the stored record; undefined if it was deleted. */
  read: (seen: Stored) => Promise<Stored | undefined>;
  fields: Readonly<Record<string, RecordField<Values>>>;
  onSaved?: (saved: Stored) => void;
  /** Refreshes the pages that show it, even after a rejection. */
  renew?: () => unknown;
}

/** The new values, and the record that the user saw. Without that, a record is created. */
export interface Write<Values, Stored> {
  seen: Stored | null;
  values: Values;
}

/** Writes records of a kind. Each replaces the version that the user saw. Throws the same errors as `saveOver`. */
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

/** The paths of records that have a path each. */
export const urlUnder =
  (path: string) =>
  (seen: { id: string } | null): string =>
    seen === null ? path : `${path}/${seen.id}`;

/** Reads a record from the list of all records. */
export const readFromList =
  <Stored extends { id: string }>(path: string, answer: z.ZodType<Stored>) =>
  async (seen: { id: string }): Promise<Stored | undefined> =>
    (await fetchJson(path, z.array(answer))).find(({ id }) => id === seen.id);

/** A schema without the wrappers that make it optional or that change a value before validation. */
export function innerOf(schema: unknown): unknown {
  if (schema instanceof z.ZodPipe) return innerOf(schema.out instanceof z.ZodTransform ? schema.in : schema.out);
  return schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? innerOf(schema.unwrap())
    : schema;
}

/** The text for a problem with a field; `max` is the greatest accepted value. */
export type Problems<Field extends string> = { readonly [Name in Field]?: (max: number | undefined) => string };

/**
 * The problems that a schema finds in a form, by field: a text of `problems`, or `required` for a blank field. If the page has
 * no text for a problem, the portal rejects the field with a text of its own.
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

/** The greatest number that a field accepts; undefined if there is no limit. */
export function maxValueOf(schema: unknown): number | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.ZodNumber ? (inner.maxValue ?? undefined) : undefined;
}

/** The greatest length of a text that a field accepts; undefined if there is no limit. */
export function maxLengthOf(schema: unknown): number | undefined {
  const inner = innerOf(schema);
  return inner instanceof z.ZodString ? (inner.maxLength ?? undefined) : undefined;
}
