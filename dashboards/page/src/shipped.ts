type Words = ReadonlyMap<string, string>;

/**
 * Dashboards in the reader's language. Built-in texts are translated; texts of users are not. A dashboard is stored once for
 * all languages, so `kept` restores the English texts before it is saved.
 */
export function translator(texts: Readonly<Record<string, string>>) {
  const translations: Words = new Map(Object.entries(texts));
  const originals: Words = new Map(Object.entries(texts).map(([english, said]) => [said, english]));
  return {
    text: (text: string): string => translations.get(text) ?? text,
    shown: (spec: unknown): unknown => withWords(spec, translations),
    kept: (spec: unknown): unknown => withWords(spec, originals),
  };
}

/** All other texts are names of variables and columns. They stay, because other places refer to them. */
const isText = (key: string, within: string) =>
  key === 'header' || (within === 'display' && (key === 'name' || key === 'description'));

function withWords(value: unknown, words: Words, within = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withWords(one, words));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, of]: [string, unknown]) => [
      key,
      typeof of === 'string' && isText(key, within) ? (words.get(of) ?? of) : withWords(of, words, key),
    ]),
  );
}
