/** A PostgreSQL URI in pieces: `postgres://user@` `a:5432,b:5433` `/portal?sslmode=require`. */
interface Pieces {
  before: string;
  hosts: readonly string[];
  after: string;
}

/** The maximum number of servers; no database reasonably has more. */
export const maxServers = 8;

const pattern = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is;

/**
 * Splits PostgreSQL's URI form, in which several servers of one database are separated by commas
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS); undefined for anything else.
 */
export function piecesOf(raw: string): Pieces | undefined {
  const [, before, hosts, after] = pattern.exec(raw) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) return undefined;
  const pieces = { before, hosts: hosts.split(','), after };
  if (pieces.hosts.length > maxServers) return undefined;
  if (pieces.hosts.length > 1 && pieces.hosts.includes('')) return undefined;
  return pieces.hosts.every((host) => URL.canParse(`${before}${host}${after}`)) ? pieces : undefined;
}

/**
 * The address of each server in a connection string, in order. Like PostgreSQL's own programs it also accepts
 * `?host=a,b&port=1,2`. Undefined for an invalid address, and for more ports than hosts.
 */
export function addressesIn(raw: string): string[] | undefined {
  const pieces = piecesOf(raw);
  if (pieces === undefined) return undefined;
  const { before, hosts, after } = pieces;
  if (hosts.length > 1) return hosts.map((host) => `${before}${host}${after}`);
  const url = new URL(raw);
  const names = url.searchParams.get('host')?.split(',') ?? [];
  if (names.length < 2) return [raw];
  const ports = url.searchParams.get('port')?.split(',') ?? [];
  if (names.length > maxServers || names.includes('')) return undefined;
  if (ports.length > 1 && ports.length !== names.length) return undefined;
  return names.map((name, index) => {
    const address = new URL(url);
    address.searchParams.set('host', name);
    const port = ports[index] ?? ports[0];
    if (port !== undefined) address.searchParams.set('port', port);
    return address.href;
  });
}

/** The name of the database, with its slash. */
export const databaseIn = (raw: string): string => new URL(`postgres://host${piecesOf(raw)?.after ?? ''}`).pathname;

/** The same servers and database for another account. */
export function withAccount(raw: string, { name, password }: { name: string; password: string }): string {
  const { hosts, after } = piecesOf(raw) ?? { hosts: [], after: '' };
  const rest = new URL(`postgres://host${after}`);
  for (const parameter of ['user', 'password']) rest.searchParams.delete(parameter);
  const credentials = `${encodeURIComponent(name)}:${encodeURIComponent(password)}`;
  return `postgres://${credentials}@${hosts.join(',')}${rest.pathname}${rest.search}`;
}
