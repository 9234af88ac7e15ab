import { describe, expect, it } from 'vitest';
import { safeReturnPath } from './return-path.ts';

describe('where sign-in leads back to', () => {
  it.each(['/dashboard', '/measurements?range=last7d&tz=Europe%2FBerlin', '/settings/users#top'])(
    'keeps %s',
    (path) => {
      expect(safeReturnPath(path)).toBe(path);
    },
  );

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    'dashboard',
    '',
    undefined,
    7,
    '/sign-in?returnTo=/sign-in',
  ])('never leaves the portal or loops: %j', (path) => {
    expect(safeReturnPath(path)).toBe('/');
  });
});
