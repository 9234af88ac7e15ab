import type { Database } from '../database/pool.ts';
import type { Guard } from './guard.ts';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { idParams } from '../../shared/primitives.ts';
import { deviceState, type DeviceState, type Watched } from '../../shared/states.rules.ts';

/** The input that the routes of a mode share. */
export interface ClientParts {
  guard: Guard;
  database: Database;
  readings: ReadingSource;
  /** The current name from the branding. */
  applicationName: () => Promise<string>;
  /**
   * The IANA zone in which the account of a request sees times, and in which hours and days are counted for devices with several
   * zones or none.
   */
  displayZoneOf: (request: FastifyRequest) => Promise<string>;
  /** Epoch milliseconds. */
  now: () => number;
}

/** Selects whose sites, devices and readings a route serves: those of this Client, or of a customer of the fleet. */
export interface ReadingSource {
  /** The first part of the paths. */
  path: string;
  onRequest: onRequestAsyncHookHandler;
  /** The id of an operation in the API document: `listSites`, or `listSitesOfCustomer` in the fleet. */
  operationId: (id: string) => string;
  /** These fields are merged into the schema of each route. */
  schema: { tags?: string[]; params?: typeof idParams };
  /** The rows that a request may read. If the customer is unknown, or the account may not see it, the answer is 404. */
  open(request: FastifyRequest): Promise<OpenedReadings>;
}

interface OpenedReadings {
  database: Database;
  /** Null in a Client. */
  customer: { id: string; code: string; name: string } | null;
  /** The state of one of its devices. The fleet knows devices from batches only. */
  stateOf: (device: Watched, nowMs: number) => DeviceState;
}

export interface SourceParts {
  guard: Guard;
  database: Database;
}

export function ownReadings({ guard, database }: SourceParts): ReadingSource {
  const opened = { database, customer: null, stateOf: deviceState };
  return {
    path: '/api',
    onRequest: guard.signedIn,
    operationId: (id) => id,
    schema: {},
    open: async () => opened,
  };
}
