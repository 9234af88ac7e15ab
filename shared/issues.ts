import { z } from 'zod';
import { type Message, messageShape } from './messages.ts';

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
