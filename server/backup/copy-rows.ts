const newline = 0x0a;
const monthBytes = '2026-03'.length;

/**
 * Cuts COPY text into parts of whole rows, each of about `partBytes`, or longer if a single row is. A line break in a value is
 * escaped as `\n` in this format, so byte 10 always ends a row.
 */
export async function* cutAtRows(source: AsyncIterable<Buffer>, partBytes: number): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    const end = length + chunk.length < partBytes ? -1 : chunk.lastIndexOf(newline);
    if (end < 0) {
      chunks.push(chunk);
      length += chunk.length;
      continue;
    }
    yield Buffer.concat([...chunks, chunk.subarray(0, end + 1)]);
    chunks = [chunk.subarray(end + 1)];
    length = chunk.length - end - 1;
  }
  if (length > 0) yield Buffer.concat(chunks);
}

/** Counts the rows of a part and adds the months in its first column, an ISO timestamp, to `months`. */
export function countRows(part: Buffer, months?: Set<string>): number {
  let rows = 0;
  let known: Buffer | undefined;
  for (let at = 0, end = 0; at < part.length && end >= 0; at = end + 1) {
    end = part.indexOf(newline, at);
    rows += 1;
    if (months === undefined || (known !== undefined && isSameMonth(part, at, known))) continue;
    known = part.subarray(at, at + monthBytes);
    months.add(known.toString('latin1'));
  }
  return rows;
}

/** Compares from the end, where consecutive values differ first. */
function isSameMonth(part: Buffer, at: number, month: Buffer): boolean {
  for (let index = monthBytes - 1; index >= 0; index -= 1) if (part[at + index] !== month[index]) return false;
  return true;
}
