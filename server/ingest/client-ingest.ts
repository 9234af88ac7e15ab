import { about, message, refuse } from '../base/errors.ts';
import { dayMicros } from '../base/instants.ts';
import { clientMeasurements } from '../database/engines/engine.ts';
import { insertDirtyRanges, rangeColumns } from '../energy/dirty-ranges.sql.ts';
import { findKeptFromStep } from '../energy/measurements.sql.ts';
import { recordStored } from '../push/push-outbox.sql.ts';
import { limits } from '../../shared/measurements.ts';
import {
  createIngest,
  type Destination,
  type Ingest,
  type IngestOutcome,
  type IngestParts,
  type Sender,
} from './ingest.ts';
import { checkGuess, findDeviceNumbers } from './ingest.sql.ts';
import { byExternalId } from './readings.rules.ts';

/** The sender of rows at a Client, for cases in which no key must be confirmed. */
export const ofClient: ClientSender = { customerId: null };
export type ClientSender = Sender & { readonly customerId: null };
export type ClientIngest = Ingest<ClientSender, IngestOutcome>;

/** Measurements are kept for at least a month, so rows newer than this are always accepted. */
const alwaysKeptMicros = 28 * dayMicros;

/** The write path of a Client's own measurements. */
export const createClientIngest = (parts: IngestParts): ClientIngest => createIngest(parts, clientDestination(parts));

const clientDestination = ({ database, now }: IngestParts): Destination<ClientSender, IngestOutcome> => ({
  table: clientMeasurements,
  maxLatest: 100,
  maxListed: limits.ingestListedErrors,
  largeFrom: Infinity,
  notFound: about('externalId', message('rowOfNoDevice')),
  rules: () => byExternalId,
  weigh(readings, rejected) {
    if (readings.count + rejected.count === 0) throw refuse('emptyListOfRows');
    return readings.count === 0 ? null : readings.count;
  },
  find(asked, earliestMicros) {
    const isOld = earliestMicros < now() * 1000 - alwaysKeptMicros;
    return [findDeviceNumbers(asked), ...(isOld ? [findKeptFromStep(database)] : [])];
  },
  check: checkGuess,
  record({ group, ranges }) {
    if (ranges.length === 0) return [];
    const columns = rangeColumns(
      ranges.map(({ place, fromMicros, toMicros }) => ({ deviceNumber: place.number, fromMicros, toMicros })),
    );
    const rowCount = group.reduce((sum, { outcome: { accepted, duplicates } }) => sum + accepted - duplicates, 0);
    return [insertDirtyRanges(database, columns), recordStored(rowCount, columns)];
  },
  answer: (_, outcome) => outcome,
});
