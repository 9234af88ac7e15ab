import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { Role } from '../../../shared/accounts.ts';
import { RouteRefusal } from './refusal.ts';
import { createAppRouter } from './router.tsx';
import { sectionsOf, settingsSections, type SectionName } from './settings-sections.ts';

const own: SectionName[] = ['profile', 'password', 'notifications'];
const everywhere: SectionName[] = [
  'alarmRules',
  'branding',
  'users',
  'dashboards',
  'mail',
  'webhooks',
  'configuration',
  'audit',
];
const all: SectionName[] = settingsSections.map(({ name }) => name);

it.each([
  { runMode: 'Client', roles: ['Admin'], has: all },
  { runMode: 'Client', roles: [], has: [...own, 'rates'] },
  { runMode: 'Admin', roles: ['Admin'], has: [...own, ...everywhere] },
  { runMode: 'Admin', roles: ['RestrictedAdmin'], has: own },
  { runMode: 'Admin', roles: [], has: own },
] as const)(
  'menu, palette and guards of the settings agree: $runMode with $roles has $has',
  ({ runMode, roles, has }) => {
    const reader = { runMode, roles: [...roles] satisfies Role[] };
    expect(sectionsOf(reader).map(({ name }) => name)).toEqual(has);
    const { routesByPath } = createAppRouter(new QueryClient());
    const opened = settingsSections.filter(({ name, path }) => {
      const { options } = routesByPath[`/settings${path}`];
      expect(options.staticData?.section).toBe(name);
      const guard: unknown = options.beforeLoad;
      try {
        if (typeof guard === 'function') guard({ context: { runMode, user: reader } });
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(RouteRefusal);
        return false;
      }
    });
    expect(opened.map(({ name }) => name)).toEqual(has);
  },
);

it('a user without the role is rejected, even if the page does not exist in this run mode', () => {
  const { routesByPath } = createAppRouter(new QueryClient());
  const guard: unknown = routesByPath['/settings/api-keys'].options.beforeLoad;
  const open = (runMode: string, roles: string[]) => {
    try {
      return typeof guard === 'function' && guard({ context: { runMode, user: { roles } } });
    } catch (error) {
      return error instanceof RouteRefusal ? error.reason : error;
    }
  };
  expect([open('Admin', []), open('Admin', ['Admin']), open('Client', [])]).toEqual([
    'forbidden',
    'missing',
    'forbidden',
  ]);
});
