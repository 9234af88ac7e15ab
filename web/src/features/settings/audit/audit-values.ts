import type { AuditEvent } from '../../../../../shared/audit.ts';

/** A field of an event, with its values before and after. A value is undefined if it does not exist. */
export interface AuditChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** The fields of an event, in the order in which they were recorded. */
export function changesOf({ before, after }: Pick<AuditEvent, 'before' | 'after'>): AuditChange[] {
  const [was, is] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))];
  return [...new Set([...was.keys(), ...is.keys()])].map((field) => ({
    field,
    before: was.get(field),
    after: is.get(field),
  }));
}

/** The words for values. */
export interface AuditWords {
  nothing: string;
  yesOrNo: (value: boolean) => string;
  fieldName: (field: string) => string;
  role: (role: string) => string;
  /** Words for a bitmask of days, Monday 1 to Sunday 64. */
  days: (daysOfWeek: number) => string;
  instant: (value: string) => string;
  number: (value: number) => string;
  list: (items: readonly string[]) => string;
  labelled: (label: string, text: string) => string;
}

const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A value in words. */
export function inWords(field: string, value: unknown, words: AuditWords): string {
  if (value === null || value === undefined || value === '') return words.nothing;
  if (typeof value === 'boolean') return words.yesOrNo(value);
  if (typeof value === 'number') return field === 'daysOfWeek' ? words.days(value) : words.number(value);
  if (Array.isArray(value)) return listInWords(field, value, words);
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([name, part]) =>
      words.labelled(words.fieldName(name), inWords(name, part, words)),
    );
    return parts.join(', ');
  }
  const text = String(value);
  return instantShape.test(text) ? words.instant(text) : field === 'roles' ? words.role(text) : text;
}

function listInWords(field: string, items: readonly unknown[], words: AuditWords): string {
  if (items.length === 0) return field === 'roles' ? words.role('none') : words.nothing;
  const texts = items.map((item) => inWords(field, item, words));
  return items.some((item) => typeof item === 'object') ? texts.join('\n') : words.list(texts);
}
