import { messageShape } from './messages.ts';

/** Beside a text that was stored. */
export const storedRefusal = messageShape
  .nullable()
  .meta({ description: 'The text as a message, to be worded in any language. null if only the text is stored.' });
