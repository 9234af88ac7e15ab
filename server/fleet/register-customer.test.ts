import { expect, test } from 'vitest';
import { refuseReadable } from './register-customer.ts';

test.each([
  'https://fleet.example.com',
  'http://fleet-portal:8080',
  'http://localhost:5080',
  'http://127.0.0.1:5080',
  'http://[::1]:5080',
  'http://172.31.0.7',
])('a password may be sent to %s', (address) => {
  expect(() => refuseReadable(address)).not.toThrow();
});

test.each([
  'http://fleet.example.com',
  'http://8.8.8.8',
  'http://172.32.0.7',
  'http://127.0.0.1.example.com',
  'http://[2001:db8::1]',
  'ftp://fleet',
])('no password is sent to %s', (address) => {
  expect(() => refuseReadable(address)).toThrow(`must be an https address`);
});
