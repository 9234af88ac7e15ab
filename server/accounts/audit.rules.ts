import type { AuditEvent } from '../../shared/audit.ts';
import { bucketsOf } from '../base/budgets.ts';

/** Fields of a subject before and after a change. Never contains a secret or a hash of one. */
export type Difference = Pick<AuditEvent, 'before' | 'after'>;

const maxTextLength = 500;
/** The maximum number of characters of JSON on each side of a difference. Fields beyond it are replaced by an ellipsis. */
export const maxDetailsLength = 16_000;
const maxFields = 50;
const tooLong = '…';

/**
 * The differences, short enough to store. For a created or deleted subject: all fields. For a changed one: the changed fields.
 */
export function differenceOf(before: object | null, after: object | null): Difference {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const differing = [...new Set([...was.keys(), ...is.keys()])]
    .filter((name) => before === null || after === null || !isSame(was.get(name), is.get(name)))
    .slice(0, maxFields);
  return { before: before && keep(was, differing), after: after && keep(is, differing) };
}

export const isNoChange = ({ before, after }: Difference): boolean =>
  before !== null && after !== null && Object.keys(before).length + Object.keys(after).length === 0;

const fieldsOf = (values: object | null): Map<string, unknown> =>
  new Map(Object.entries(values ?? {}).filter(([, value]) => value !== undefined));
const isSame = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

function keep(values: ReadonlyMap<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  let room = maxDetailsLength;
  for (const name of names) {
    const text = JSON.stringify(values.get(name) ?? null, cutText);
    kept[name] = text.length > room ? tooLong : JSON.parse(text);
    room -= Math.min(room, text.length);
  }
  return kept;
}

const cutText = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? storable(value, maxTextLength) : value;

/** Text as PostgreSQL can store it: without NUL and lone surrogates, and no longer than this. */
export function storable(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}${tooLong}` : text;
  return cut.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

const hourMs = 3_600_000;
/**
 * At most this many sources are counted separately in an hour; all others share one event. So a flood of sources cannot fill
 * the disk.
 */
export const maxSummarizedSources = 200;

/** Events that are stored as one event with a count. `source` is null if they came from several sources. */
export interface Summary {
  key: string;
  source: string | null;
}

/** Finds the summary for events of the same kind, such as failed sign-ins with unknown emails. */
export class Summaries {
  #window = Number.NaN;
  readonly #sources = new Map<string, Set<string>>();

  /** `alike` identifies the events that may be counted together. `now` is in epoch milliseconds. */
  of(alike: string, source: string, now: number): Summary {
    const window = Math.floor(now / hourMs);
    if (window !== this.#window) this.#sources.clear();
    this.#window = window;
    const sources = this.#sources.getOrInsertComputed(alike, () => new Set());
    if (sources.size < maxSummarizedSources) sources.add(source);
    const key = `${window} ${alike}`;
    return sources.has(source) ? { key: `${key} ${source}`, source } : { key, source: null };
  }
}

/**
 * Sign-ins and sign-outs of an account beyond the budget are counted in one event, so that nobody can fill the disk with them.
 */
export class SessionSummaries {
  readonly #own = bucketsOf('ownSessionEvents');
  readonly #summaries = new Summaries();

  /** Null if the event is stored on its own. */
  of(action: 'session.begin' | 'session.end', accountId: string, source: string, now: number): Summary | null {
    const alike = `${action} ${accountId}`;
    return this.#own.take(alike, now) === null ? null : this.#summaries.of(alike, source, now);
  }
}
