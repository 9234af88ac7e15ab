import { expect, it } from 'vitest';
import { wayOf } from './way-of.ts';

const files = new Set(['/assets/index-a1b2c3.js', '/color-scheme.js']);
const page = { method: 'GET', mode: 'navigate', destination: 'document' };
const script = { method: 'GET', mode: 'cors', destination: 'script' };
const data = { method: 'GET', mode: 'cors', destination: '' };

it.each([
  ['a page', page, '/dashboard?range=today', 'page'],
  ['the start page', page, '/', 'page'],
  ['a page whose name only begins like the API', page, '/apiary', 'page'],
  ['a file of the shell', script, '/assets/index-a1b2c3.js', 'asset'],
  ['a file without a hash in its name', script, '/color-scheme.js', 'file'],
  ['a file of another release', script, '/assets/index-old.js', null],
  ['a file that is opened as a page', page, '/color-scheme.js', null],
  ['figures', data, '/api/dashboard/summary?range=today', null],
  ['who is signed in', data, '/api/auth/me', null],
  ['a download that is opened as a page', page, '/api/dashboard/summary/export.xlsx', null],
  ['the API under a second slash', page, 'https://portal.example//api/docs', null],
  ['an upload', { ...data, destination: 'image' }, '/uploads/logo.png', null],
  ['the health', data, '/health', null],
  ['the dashboard tool in its frame', { ...page, destination: 'iframe' }, '/perses/', null],
  ['a form that is sent as a page', { ...page, method: 'POST' }, '/sign-in', null],
  ['a sign-in', { ...data, method: 'POST' }, '/api/auth/login', null],
  ['a question about a page', { ...data, method: 'HEAD' }, '/dashboard', null],
  ['a page asked for by a script', data, '/dashboard', null],
  ['another host', page, 'https://elsewhere.example/dashboard', null],
  ['another host’s file of the same name', script, 'https://elsewhere.example/assets/index-a1b2c3.js', null],
])('%s', (_, asked, url, way) => {
  const origin = 'https://portal.example';
  expect(wayOf({ ...asked, url: new URL(url, origin).href }, origin, files)).toBe(way);
});
