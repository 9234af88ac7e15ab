import { apiErrors, apiProblems, pageErrors, problems, templates, terms } from '../../messages/en/errors.ts';
import {
  asSentence,
  type ErrorKind,
  type Message,
  type MessageParam,
  parseMessage,
  wordMessage,
} from '../../shared/messages.ts';

const errors = { ...pageErrors, ...apiErrors };
const texts = { ...problems, ...apiProblems, ...terms };

type Errors = typeof errors;
type Texts = typeof texts;
export type ErrorCode = keyof Errors;
type MessageCode = keyof Texts | ErrorCode;

type TemplateOf<Code extends MessageCode> = Code extends ErrorCode
  ? Errors[Code][1]
  : Code extends keyof Texts
    ? Texts[Code]
    : never;
type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;
/** The parameters of a template; `field` is passed separately, and `got` may always be added. */
type ParamsOf<Code extends MessageCode> = Readonly<
  Record<Exclude<NamesIn<TemplateOf<Code>>, 'field'>, MessageParam> & { got?: MessageParam }
>;
/** A template without parameters needs no `params`. */
type MessageArguments<Code extends MessageCode> =
  object extends ParamsOf<Code> ? [params?: ParamsOf<Code>] : [params: ParamsOf<Code>];
type RefusalArguments<Code extends ErrorCode> =
  object extends ParamsOf<Code>
    ? [params?: ParamsOf<Code>, options?: RefusalOptions]
    : [params: ParamsOf<Code>, options?: RefusalOptions];

/** The codes of errors that need no parameters. */
export type PlainErrorCode = {
  [Code in ErrorCode]: object extends ParamsOf<Code> ? Code : never;
}[ErrorCode];

/** A message in English, without a full stop. */
export const inEnglish = (message: Message): string => wordMessage(message, templates) ?? message.code;

/** A message inside another message, or the reason why a row was rejected. */
export function message<Code extends MessageCode>(code: Code, ...[params]: MessageArguments<Code>): Message {
  return { code, params: params ?? {} };
}

/** A message of this kind about a field. */
export const about = (field: string, { code, params }: Message): Message => ({ code, params, field });

export interface RefusalOptions extends ErrorOptions {
  /** The field of the request that is wrong. */
  field?: string;
  /** Seconds after which the caller may try again. */
  retryAfterSeconds?: number | undefined;
}

/** An error for the caller. Its text is English, for logs; the page words it in the user's language, from the code. */
export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly refusal: Message;
  readonly retryAfterSeconds: number | undefined;

  constructor(kind: ErrorKind, refusal: Message, { retryAfterSeconds, cause }: RefusalOptions = {}) {
    super(asSentence(inEnglish(refusal)), { cause });
    this.name = 'DomainError';
    this.kind = kind;
    this.refusal = refusal;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const maxTextLength = 400;
/** If a message is longer, only its English text is stored. */
const maxMessageLength = 2_000;
const separator = '\n';

/** A message as text for the database, which takes neither NUL nor half of a character: its English, and on a last line its JSON. */
export function storedMessage(said: Message): string {
  const json = JSON.stringify(said, (_, value: unknown) => (typeof value === 'string' ? fit(value) : value));
  const text = fit(inEnglish(said).slice(0, maxTextLength));
  return json.length <= maxMessageLength ? `${text}${separator}${json}` : text;
}

const fit = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** Reads a text from the database: its English text and, if `storedMessage` stored it, the message. */
export function readStored(text: string): { text: string; refusal: Message | null };
export function readStored(text: string | null): { text: string | null; refusal: Message | null };
export function readStored(text: string | null): { text: string | null; refusal: Message | null } {
  const end = text?.lastIndexOf(separator) ?? -1;
  const refusal = text === null || end < 0 ? null : parseMessage(text.slice(end));
  return { text: refusal === null || text === null ? text : text.slice(0, end), refusal };
}

/** The error to throw for a code: `throw refuse('emailTaken', { email }, { field: 'email' })`. */
export function refuse<Code extends ErrorCode>(
  code: Code,
  ...[params, options = {}]: RefusalArguments<Code>
): DomainError {
  const [kind, , retryAfterSeconds]: readonly [ErrorKind, string, number?] = errors[code];
  return new DomainError(kind, { code, params: params ?? {}, field: options.field }, { retryAfterSeconds, ...options });
}

/** The error for a wrong value of a field. */
export const refuseField = (field: string, problem: Message) => new DomainError('invalid', about(field, problem));

/** Things that a request may refer to. */
type Thing = keyof typeof terms | keyof typeof apiProblems;

export const notFound = (what: Thing) => refuse('noSuch', { what: { code: what, params: {} } });

/** Returns the value that was looked up. Throws `notFound` if it is null or false. */
export function found<T>(value: T | null | false, what: Thing): T {
  if (value === null || value === false) throw notFound(what);
  return value;
}

/** Throws if the stored version is not the version that the caller has seen. Call it while the row is locked. */
export type Precondition<Stored> = (stored: Stored) => void;

const listedNames = 3;

/** The first names and the number of the others. It contains no words, because it is used in sentences of several languages. */
export function listSome(named: readonly { name: string }[]): string {
  const names = named.slice(0, listedNames).map(({ name }) => `"${name}"`);
  const more = named.length - names.length;
  return [...names, ...(more > 0 ? [`+${more}`] : [])].join(', ');
}
