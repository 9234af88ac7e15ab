export interface EnvFile {
  values: Record<string, string>;
  /** Line numbers, from 1, that are neither empty, a comment nor `NAME=value`. */
  badLines: number[];
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=(.*)$/;
const quoted = /^\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|`([^`]*)`)\s*(?:#.*)?$/;
const escapes = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Reads the text of a `.env` file, one `NAME=value` per line. `#` starts a comment only at the start of a line or after a space:
 * `#0b7285` is a color, and passwords contain `#` (Node's own parser would cut both off).
 */
export function parseEnvFile(text: string): EnvFile {
  const file: EnvFile = { values: {}, badLines: [] };
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const match = assignment.exec(line);
    const value = match?.[2] === undefined ? undefined : parseValue(match[2]);
    if (match?.[1] === undefined || value === undefined) file.badLines.push(index + 1);
    else file.values[match[1]] = value;
  }
  return file;
}

/** Undefined when a quote is left open. */
function parseValue(raw: string): string | undefined {
  const match = quoted.exec(raw);
  if (match !== null) {
    const [, double, single, backtick] = match;
    if (double === undefined) return single ?? backtick ?? '';
    return double.replace(/\\(.)/g, (_, character: string) => escapes.get(character) ?? character);
  }
  if (/^\s*["'`]/.test(raw)) return undefined;
  return raw.replace(/\s+#.*$/, '').trim();
}
