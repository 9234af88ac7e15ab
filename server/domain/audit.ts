import { TokenBuckets } from './token-buckets.ts';

/** Everything that the audit trail records, as `subject.what`. Written ones stay readable, so none is renamed. */
export type Action =
  | `${'site' | 'device' | 'municipality' | 'tariff' | 'customer' | 'embedded-dashboard' | 'dashboard'}.${'create' | 'change' | 'delete'}`
  | `user.${'create' | 'change' | 'delete' | 'reset-password' | 'unlock' | 'change-own-name' | 'change-own-password' | 'change-customers' | 'turn-on-second-factor' | 'add-passkey' | 'remove-passkey' | 'turn-off-second-factor' | 'renew-recovery-codes' | 'use-recovery-code' | 'reset-second-factor'}`
  | 'customer.rotate-token'
  | `api-key.${'create' | 'revoke'}`
  | `branding.${'change' | 'replace-logo' | 'remove-logo'}`
  | `session.${'begin' | 'end' | 'end-others'}`
  | `sign-in.${'fail' | 'change-policy'}`
  | 'report.change-remark'
  | `push.${'run' | 'reconcile'}`;

/** The `subject` of an action. */
export const subjectKindOf = (action: Action): string => action.slice(0, action.indexOf('.'));

/** Fields of a subject as it was and is; null where it was not there, or is gone. Never a secret, nor a hash of one. */
export interface Difference {
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
}

const maxTextLength = 500;
/** Characters of JSON on each side of a difference; fields that do not fit any more are kept as an ellipsis. */
export const maxDetailsLength = 16_000;
const maxFields = 50;
const tooLong = '…';

/** What differs, short enough to be kept: all fields of what was created or deleted, the changed fields of what was changed. */
export function differenceOf(before: object | null, after: object | null): Difference {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const differing = [...new Set([...was.keys(), ...is.keys()])]
    .filter((name) => before === null || after === null || !isSame(was.get(name), is.get(name)))
    .slice(0, maxFields);
  return { before: before && keep(was, differing), after: after && keep(is, differing) };
}

/** Whether a subject is after a change what it was before. */
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

/** Text as PostgreSQL can store it: without NUL and halves of characters, and no longer than this. */
export function storable(text: string, maxLength: number): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength - 1)}${tooLong}` : text;
  return cut.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

const hourMs = 3_600_000;
/** So many sources have a count of their own in an hour, so that a flood of them does not fill the disk; all others share one. */
export const maxSummarizedSources = 200;

/** Events that are counted together in one; from many sources if `source` is null. */
export interface Summary {
  key: string;
  source: string | null;
}

/** Finds the summary of events that are alike, such as failed sign-ins with emails that nobody has. */
export class Summaries {
  #window = Number.NaN;
  readonly #sources = new Map<string, Set<string>>();

  /** `alike` says which events may be counted together, `now` is in epoch milliseconds. */
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

/** Sign-ins, and sign-outs, of an account that have an event of their own; then they come back as fast as the hour goes. */
export const ownSessionEventsAnHour = 30;

/** Counts the sign-ins and sign-outs of an account that are too many for an event each, so that nobody fills the disk with them. */
export class SessionSummaries {
  readonly #own = new TokenBuckets(ownSessionEventsAnHour, hourMs);
  readonly #summaries = new Summaries();

  /** Null where the event is one of its own. */
  of(action: 'session.begin' | 'session.end', accountId: string, source: string, now: number): Summary | null {
    const alike = `${action} ${accountId}`;
    return this.#own.take(alike, now) === null ? null : this.#summaries.of(alike, source, now);
  }
}
