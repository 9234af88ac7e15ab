/** A text with `{0}` for what stands there; in `{~0}` it begins small, as a verb does behind its noun. */
export function fillIn(text: string, parts: readonly unknown[]): unknown {
  const said = text
    .split(/\{(~?\d)\}/)
    .map((piece, at) => (at % 2 === 0 ? piece : partAt(parts, piece)))
    .filter((piece) => piece !== '' && piece !== false && piece !== undefined);
  const isText = said.every((piece) => typeof piece === 'string' || typeof piece === 'number');
  return isText ? said.join('') : said;
}

function partAt(parts: readonly unknown[], place: string): unknown {
  const part = parts[Number(place.replace('~', ''))];
  if (!place.startsWith('~') || typeof part !== 'string') return part;
  return part.slice(0, 1).toLowerCase() + part.slice(1);
}
