import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { secondFactorAnswer, signInAnswer } from '../../shared/accounts.ts';
import { createdCustomer, customer, rotatedToken } from '../../shared/fleet.ts';
import { DomainError } from '../base/errors.ts';
import type { OneRunOptions } from '../settings/config.ts';

const usage =
  'register-customer --fleet <address> --code <code> --name <name> [--rotate-token], with the email and the password of an ' +
  'administrator of the fleet on two lines of standard input, and a code on a third where the account has a second factor';
const waitMs = 30_000;

/** A client of an Admin portal, signed in as an administrator. */
export type AskFleet = <T>(schema: z.ZodType<T>, method: string, path: string, body?: object) => Promise<T>;

/** Signs in to an Admin portal. */
export async function signInToFleet(
  address: string,
  { code, ...account }: { email: string; password: string; code?: string | undefined },
): Promise<AskFleet> {
  let cookie = '';
  const ask: AskFleet = async (schema, method, path, body) => {
    const answer = await fetch(`${address}${path}`, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Redirects are errors, so that a password is never sent to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(waitMs),
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? (error.cause ?? error) : error;
      throw new Error(`Cannot reach the fleet at ${address}: ${String(reason)}.`);
    });
    const content = await answer.text();
    if (!answer.ok) {
      throw new Error(`The fleet answered ${answer.status} to ${method} ${path}: ${content}`);
    }
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return schema.parse(JSON.parse(content));
  };
  const answer = await ask(signInAnswer, 'POST', '/api/auth/login', account);
  if ('token' in answer) {
    if (answer.newApp !== null) {
      throw new Error(`${account.email} must have a second factor: sign in to ${address} and add it.`);
    }
    if (code === undefined || code === '') {
      throw new Error(`${account.email} has a second factor: give its code on a third line.`);
    }
    await ask(secondFactorAnswer, 'POST', '/api/auth/login/second-factor', { token: answer.token, code });
  }
  return ask;
}

/**
 * The push token of a customer. Creates the customer if the fleet does not know the code yet; otherwise gives it a new token if
 * requested.
 */
export async function findToken(
  ask: AskFleet,
  { code, name, mayRotate }: { code: string; name: string; mayRotate: boolean },
): Promise<string> {
  const known = (await ask(z.array(customer), 'GET', '/api/admin/customers')).find((one) => one.code === code);
  if (known === undefined) {
    return (await ask(createdCustomer, 'POST', '/api/admin/customers', { code, name })).token;
  }
  if (!mayRotate) {
    throw new Error(`Customer ${code} (${known.name}) already exists; use --rotate-token for a new token.`);
  }
  return (await ask(rotatedToken, 'POST', `/api/admin/customers/${known.id}/rotate-token`, {})).token;
}

/** `main.mjs register-customer …`, for scripts that set up stacks: prints only the push token. */
export async function registerCustomer({ words }: OneRunOptions): Promise<string> {
  const { fleet, code, name, mayRotate } = readWords(words);
  const [email, password, secondFactor] = (await text(process.stdin)).split(/\r?\n/);
  if (email === undefined || password === undefined || password === '') {
    throw new Error(`Standard input has no email and password. It takes: ${usage}.`);
  }
  return findToken(await signInToFleet(fleet, { email, password, code: secondFactor }), { code, name, mayRotate });
}

/** Names without a dot belong to containers or to this machine. */
const nearHost =
  /^(?:[a-z0-9-]+|\[::1\]|127(?:\.\d+){3}|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/;

/** Throws `invalid` for an address to which a password and a token would be sent unencrypted. */
export function refuseReadable(address: string): void {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || (protocol === 'http:' && nearHost.test(hostname))) return;
  throw new Error(
    `--fleet: must be an https address, because a password goes there; http only to a container, localhost or a private IPv4 address; got ${address}.`,
  );
}

function readWords(words: readonly string[]) {
  const option = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { fleet: option, code: option, name: option, 'rotate-token': { type: 'boolean', default: false } },
    });
    const { fleet = '', code = '', name = '', 'rotate-token': mayRotate } = values;
    if (URL.canParse(fleet) && code !== '' && name !== '') {
      refuseReadable(fleet);
      return { fleet: fleet.replace(/\/$/, ''), code, name, mayRotate };
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // For any other mistake the usage is shown below.
  }
  throw new Error(`It takes: ${usage}.`);
}
