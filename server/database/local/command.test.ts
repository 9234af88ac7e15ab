import { describe, expect, it } from 'vitest';
import { chooseAccount, identityOf, parseAccounts } from './command.ts';

const passwd = [
  'root:x:0:0:root:/root:/bin/bash',
  '# a comment, as macOS has them',
  '',
  'nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false',
  'postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash',
  'ada:x:1000:1001::/home/ada:/bin/bash',
].join('\n');
const accounts = parseAccounts(passwd);

describe('the accounts of /etc/passwd', () => {
  it('skips comments and empty lines', () => {
    expect(accounts.map(({ name }) => name)).toEqual(['root', 'nobody', 'postgres', 'ada']);
  });

  it('reads a negative id as the large number that it represents, and can start programs with it', () => {
    const nobody = accounts.find(({ name }) => name === 'nobody');
    expect(nobody).toEqual({ name: 'nobody', uid: 4_294_967_294, gid: 4_294_967_294 });
    expect(identityOf(nobody)).toEqual({ uid: -2, gid: -2 });
  });
});

describe('the account under which PostgreSQL runs when the portal is root', () => {
  it('is the owner of the existing cluster first of all', () => {
    expect(chooseAccount(accounts, { uid: 1000, gid: 7 })).toEqual({ name: 'ada', uid: 1000, gid: 1001 });
  });

  it('is that owner even if the account has been removed', () => {
    expect(chooseAccount(accounts, { uid: 4711, gid: 7 })).toEqual({ name: '#4711', uid: 4711, gid: 7 });
  });

  it('is postgres if that account exists and there is no cluster yet', () => {
    expect(chooseAccount(accounts).name).toBe('postgres');
  });

  it('is nobody without an account postgres', () => {
    expect(chooseAccount(accounts.filter(({ name }) => name !== 'postgres')).name).toBe('nobody');
  });

  it('is the id of nobody without an account list', () => {
    expect(chooseAccount([])).toEqual({ name: 'nobody', uid: 65_534, gid: 65_534 });
  });

  it('is never root, neither as the owner of a cluster nor under another name', () => {
    expect(chooseAccount(accounts, { uid: 0, gid: 0 }).name).toBe('postgres');
    expect(chooseAccount([{ name: 'postgres', uid: 0, gid: 0 }]).uid).toBe(65_534);
  });

  it('adds no spawn options if the portal does not run as root', () => {
    expect(identityOf(undefined)).toEqual({});
  });
});
