/** One row as the page sends and shows it. */
export interface TestRow {
  externalId: string;
  /** ISO 8601 with an offset or Z. */
  time: string;
  activePowerKw: number;
}

export const ingestPath = '/api/ingest/measurements';
export const intervalsPath = '/api/ingest/intervals';

/** A POSIX shell keeps everything between single quotes as it is; only the quote itself needs escaping. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The command that sends the row to the portal at `origin` (`https://portal.example.com`) with the key. */
export function curlCommand(origin: string, key: string, row: TestRow): string {
  return [
    `curl -X POST ${shellQuoted(origin + ingestPath)}`,
    `-H ${shellQuoted(`Authorization: Bearer ${key}`)}`,
    `-H ${shellQuoted('Content-Type: application/json')}`,
    `-d ${shellQuoted(JSON.stringify([row]))}`,
  ].join(' \\\n  ');
}
