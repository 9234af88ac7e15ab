import { z } from 'zod';

/** What went wrong for a caller, with the HTTP status of each kind. */
export const statusOfKind = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  notFound: 404,
  tooLate: 408,
  conflict: 409,
  /** The caller has seen another version. */
  stale: 412,
  tooLarge: 413,
  unsupportedMediaType: 415,
  expectationFailed: 417,
  tooManyRequests: 429,
  headersTooLarge: 431,
  failed: 500,
  unavailable: 503,
  /** The client has gone away: some servers log this status, and no client ever sees it. */
  abandoned: 499,
} as const;
export type ErrorKind = keyof typeof statusOfKind;

/** A text for a person, independent of the language: the code of a template and what fills its `{placeholders}`. */
export interface Message {
  code: string;
  params: MessageParams;
  /** The field of the request that the message is about. */
  field?: string | undefined;
}

/** A message as a parameter is worded in the same language; texts and numbers stay as they are. */
export type MessageParam = string | number | Message;
export type MessageParams = Readonly<Record<string, MessageParam>>;

// Not described further: generators of clients fail at a schema that contains itself.
const param: z.ZodType<MessageParam> = z.any();
/** On the wire, beside the same message in English. */
export const messageShape = z.object({
  code: z.string().meta({ description: 'What the text says, such as emailTaken.' }),
  params: z
    .record(z.string(), param)
    .meta({ description: 'What varies in it: texts, numbers, or other messages {code, params}.' }),
  field: z.string().optional().meta({ description: 'The input that is wrong, if it is one.' }),
});

/** Templates by code. A language may lack some: their messages are shown in English. */
export type Templates = Readonly<Record<string, string>>;

/**
 * The text of a message, without a full stop. A template without `{field}` follows the name of the field, unless the
 * text is shown at that field. The received value (`got`) follows a template without `{got}`. Null if the language
 * lacks a template.
 */
export function wordMessage(
  { code, params, field }: Message,
  templates: Templates,
  { isAtField = false }: { isAtField?: boolean } = {},
): string | null {
  const template = templates[code];
  const got = params['got'];
  if (template === undefined) return null;
  const isGotApart = got !== undefined && !template.includes('{got}');
  const whole = isGotApart ? `${template}${templates['got'] ?? ''}` : template;
  let isComplete = true;
  const text = whole.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const param = name === 'field' ? (field ?? '') : (params[name] ?? '');
    if (typeof param !== 'object' || param === null) return String(param);
    const worded = wordMessage(param, templates);
    if (worded === null) isComplete = false;
    return worded ?? '';
  });
  if (!isComplete) return null;
  return field === undefined || isAtField || template.includes('{field}') ? text : `${field}: ${text}`;
}

/** Adds a full stop unless the text already ends a sentence. */
export const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** With a capital letter at its start, unless it starts with a name. */
export const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The message in a JSON text; null if there is none. */
export function parseMessage(json: string): Message | null {
  try {
    return messageShape.parse(JSON.parse(json));
  } catch {
    return null;
  }
}

/** The languages of the page, of errors and of workbooks. A new one also needs its folder in `messages/`. English always exists. */
export const languages = ['en', 'de', 'fr', 'es', 'nl', 'it'] as const;
export type Language = (typeof languages)[number];

/** The shape of a translation: the keys of the English texts, any text. */
export type Translated<Part> = {
  readonly [Key in keyof Part]: Part[Key] extends string ? string : Translated<Part[Key]>;
};

/** A message about a value, as the text of a zod issue: a schema carries texts only. */
export const encodeIssue = (code: string, params: Readonly<Record<string, string | number>> = {}): string =>
  Object.keys(params).length === 0 ? code : `${code} ${JSON.stringify(params)}`;

/** The message in the text of a zod issue, which `encodeIssue` made. */
export function decodeIssue(text: string): Pick<Message, 'code' | 'params'> {
  const [, code = '', params] = /^(\w+)(?: (\{.*\}))?$/s.exec(text) ?? [];
  if (code === '') return { code: 'isNotValid', params: {} };
  return {
    code,
    params:
      params === undefined ? {} : z.record(z.string(), z.union([z.string(), z.number()])).parse(JSON.parse(params)),
  };
}

/** A stored text with its message. */
export const storedRefusal = messageShape
  .nullable()
  .meta({ description: 'The text as a message, to be worded in any language. null if only the text is stored.' });
