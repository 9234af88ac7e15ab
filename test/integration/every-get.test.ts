import { afterAll, expect, test } from 'vitest';
import { type Operation, readApiOperations, undocumentedIn } from '../support/api-operations.ts';
import { clientStates, fleetStates, type Meters, type WalkedPortal } from '../support/walked-portals.ts';
import { oddQueriesOf, type Query, queriesOf, unknownId } from '../support/walked-queries.ts';
import { openWorkbook } from '../support/xlsx/workbook.ts';

interface Visit {
  walked: WalkedPortal;
  operation: Operation;
  id: string;
  query: Query;
  /** The expected status; null if any documented status below 500 will do. */
  status: number | null;
}

/** For a path without `{id}`. */
const noId = '';

const visited: string[] = [];
afterAll(() => void process.stderr.write(`Walk of every GET operation: ${visited.join('; ')}.\n`));

/** The error in an answer, or null. */
async function mistakeOf({ walked: { portal, headers }, operation, id, query, status }: Visit): Promise<string | null> {
  const url = operation.path.replace('{id}', id);
  const answer = await portal.app.inject({ url, query: { ...query }, headers });
  const { statusCode, body } = answer;
  const isExpected = status === null ? statusCode < 500 : statusCode === status;
  const mistake = isExpected
    ? (undocumentedIn(operation, answer) ?? mistakeOfFile(answer))
    : `${statusCode} in the place of ${status ?? 'a documented refusal'}: ${body.slice(0, 300)}`;
  return mistake === null ? null : `${url}?${new URLSearchParams(query).toString()}: ${mistake}`;
}

/** Whether a file is what its content type says; throws if a workbook or a line of JSON is invalid. */
function mistakeOfFile({
  headers,
  body,
  rawPayload,
}: {
  headers: Record<string, unknown>;
  body: string;
  rawPayload: Buffer;
}): string | null {
  const type = String(headers['content-type']);
  if (type.includes('spreadsheetml')) return openWorkbook(rawPayload).sheets.length > 0 ? null : 'an empty workbook';
  const lines = body.split('\n').filter((line) => line !== '');
  if (type.includes('ndjson')) for (const line of lines) JSON.parse(line);
  if (type.includes('csv') && lines.length === 0) return 'a CSV file without its header';
  return null;
}

/** Every way to call an operation. */
function visitsOf(operation: Operation, walked: WalkedPortal): Visit[] {
  const { path } = operation;
  const places: readonly ({ id: string } & Meters)[] | undefined = path.includes('{id}')
    ? walked.known[path.slice(0, path.indexOf('/{id}'))]
    : [{ id: noId, devices: walked.devices, sites: walked.sites }];
  if (places === undefined) throw new Error(`${path}: walked-portals.ts knows no ids for it.`);
  const visit = (id: string, query: Query, status: number | null) => ({ walked, operation, id, query, status });
  // An unknown device gets the same requests as a known one.
  const ofNothing = queriesOf(operation, { devices: [unknownId], sites: [] });
  const asksForDevice = operation.parameters.some(({ name }) => name === 'deviceId');
  const [query = {}] = ofNothing;
  const unknownPlaces = path.includes('{id}') ? [unknownId, 'x'] : [];
  return [
    ...places.flatMap((place) => queriesOf(operation, place).map((one) => visit(place.id, one, 200))),
    ...unknownPlaces.map((id) => visit(id, query, 404)),
    ...(asksForDevice ? places.flatMap(({ id }) => ofNothing.map((one) => visit(id, one, 404))) : []),
    ...oddQueriesOf(operation, query).map((odd) => visit(places[0]?.id ?? unknownId, odd, null)),
  ];
}

const states = [...clientStates, ...fleetStates];

test.for(states.map(({ name, create }) => [name, create] as const))(
  '%s: every GET operation of its API document answers as documented',
  { timeout: 240_000 },
  async ([name, create]) => {
    await using walked = await create();
    const reads = (await readApiOperations(walked.portal, walked.headers)).filter(({ method }) => method === 'GET');
    const visits = reads.flatMap((operation) => visitsOf(operation, walked));
    const mistakes: string[] = [];
    for (const visit of visits) {
      const mistake = await mistakeOf(visit);
      if (mistake !== null) mistakes.push(mistake);
    }
    visited.push(`${name}: ${reads.length} operations, ${visits.length} requests`);
    expect(mistakes).toEqual([]);
    // In a full portal each operation is called for something that exists.
    if (name.endsWith('everything')) {
      const answered = new Set(visits.filter(({ status }) => status === 200).map(({ operation }) => operation.path));
      expect([...answered].toSorted()).toEqual(reads.map(({ path }) => path).toSorted());
    }
  },
);
