import { expect, test } from 'vitest';
import { addressesIn, databaseIn, withAccount } from './database-address.ts';

test.each([
  ['postgres://u:p@one/db', ['postgres://u:p@one/db']],
  [
    'postgres://u:p@one:1,two:2/db?sslmode=require',
    ['postgres://u:p@one:1/db?sslmode=require', 'postgres://u:p@two:2/db?sslmode=require'],
  ],
  ['postgresql://[::1]:1,10.0.0.2/db', ['postgresql://[::1]:1/db', 'postgresql://10.0.0.2/db']],
  // A comma in a password does not separate servers.
  ['postgres://u:p,q@one,two/db', ['postgres://u:p,q@one/db', 'postgres://u:p,q@two/db']],
  ['postgres:///db?host=one,two&port=1,2', ['postgres:///db?host=one&port=1', 'postgres:///db?host=two&port=2']],
  ['postgres:///db?host=one,two&port=1', ['postgres:///db?host=one&port=1', 'postgres:///db?host=two&port=1']],
  ['postgres:///db?host=/var/run/postgresql', ['postgres:///db?host=/var/run/postgresql']],
  ['postgres://one,two:x/db', undefined],
  ['postgres://one,/db', undefined],
  ['mysql://one,two/db', undefined],
])('the servers of %s', (raw, addresses) => {
  expect(addressesIn(raw)).toEqual(addresses);
});

test('another account reaches the same servers and the same database', () => {
  const raw = 'postgres://u:p@one:1,two:2/db?password=p&sslmode=require';
  expect(withAccount(raw, { name: 'tool', password: 'a/b@c' })).toBe(
    'postgres://tool:a%2Fb%40c@one:1,two:2/db?sslmode=require',
  );
  expect(databaseIn(raw)).toBe('/db');
});
