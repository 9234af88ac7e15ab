import { describe, expect, test } from 'vitest';
import { pathBelow } from './dashboard-paths.rules.ts';

describe('the path of an embedded dashboard', () => {
  test.each([
    ['/dash', ''],
    ['/dash/', '/'],
    ['/dash/dashboards/overview', '/dashboards/overview'],
    ['/dash/d/abc-1/my.site~2?orgId=1&from=now-1d/d&kiosk', '/d/abc-1/my.site~2?orgId=1&from=now-1d/d&kiosk'],
    ['/dash/d/gr%C3%B6%C3%9Fe', '/d/gr%C3%B6%C3%9Fe'],
    ['/dash?x=1', '?x=1'],
  ])('%s is under /dash', (path, below) => {
    expect(pathBelow('/dash', path)).toBe(below);
  });

  test.each([
    '',
    '/',
    'dash/dashboards/overview',
    '/Dash/dashboards/overview',
    '/dashboards/overview',
    '/dash2/overview',
    'https://example.com/dash/overview',
    '//example.com/dash/overview',
    'javascript:alert(1)',
    '/dash/../api/users',
    '/dash/a/..',
    '/dash/./a',
    '/dash/%2e%2e/api/users',
    '/dash/%2E./api/users',
    '/dash/a?next=/../b',
    '/dash//example.com',
    '/dash/a//b',
    '/dash/a%2fb',
    '/dash/a%5Cb',
    '/dash/a%252fb',
    '/dash/a%zz',
    '/dash/a\\b',
    '/dash/a\u0000b',
    '/dash/a%00b',
    '/dash/a b',
    '/dash/a\r\nb',
    '/dash/größe',
    '/dash/a#b',
    `/dash/${'a'.repeat(500)}#`,
  ])('%j does not', (path) => {
    expect(() => pathBelow('/dash', path)).toThrow(/^path: must be a path under \/dash such as/);
  });
});
