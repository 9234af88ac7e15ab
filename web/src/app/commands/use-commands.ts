import { useMantineColorScheme } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { menuOf } from '../../features/dashboards/menu.ts';
import { appInfoQuery } from '../../lib/app-info.ts';
import { useFoundCustomers, useFoundSites } from '../../entities/customers.ts';
import { useCurrentUser, useHasRole } from '../../lib/current-user.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { dashboardToolQuery, embeddedDashboardsQuery } from '../../entities/embedded-dashboards.ts';
import { languages } from '../../../../shared/messages.ts';
import { languageName } from '../../lib/i18n/language.ts';
import { keptChoice, keptRange } from '../../lib/kept-range.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { useLanguage } from '../../ui/LanguageProvider.tsx';
import { sectionsOf } from '../settings-sections.ts';
import { useSignOut } from '../use-sign-out.ts';
import { searchable, shownMax, type Command, type Searchable, type Unsent } from './find-commands.ts';
import { usePages } from './use-pages.ts';

/** All commands of the signed-in user that work from anywhere, and `others`: those of a fleet only as far as the search finds them. */
export function useCommands(others: readonly Command[], search: string) {
  const places = usePlaces();
  const { found, ...ofFleet } = useFleetPlaces(search);
  const commands = searchable([...usePageCommands(), ...useActions(), ...useBoards(), ...others]);
  return { commands: [...commands, ...places, ...found], ...ofFleet };
}

function usePageCommands(): Command[] {
  const t = useTranslations();
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const navigate = useNavigate();
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const sections = sectionsOf({ runMode, roles: useCurrentUser()?.roles ?? [] });
  return [
    ...usePages().map(({ to, name, hint, key, open }): Command => ({
      id: to,
      kind: 'page',
      label: name,
      hint,
      keys: `G ${key.toUpperCase()}`,
      run: open,
    })),
    ...(runMode === 'Client'
      ? [
          {
            id: '/sites/devices',
            kind: 'page',
            label: tTerms('allDevices'),
            hint: tShell('sites'),
            run: () => void navigate({ to: '/sites/devices' }),
          } satisfies Command,
        ]
      : []),
    ...sections.map(({ to, name, ...section }): Command => ({
      id: to,
      kind: 'page',
      label: t(`sections.${name}`),
      hint: [tShell('settings'), ...('searchedAs' in section ? section.searchedAs.map((key) => t(key)) : [])].join(
        ' · ',
      ),
      run: () => void navigate({ to }),
    })),
  ];
}

/** Commands that open another page, and commands that exist on every page. */
function useActions(): Command[] {
  const t = useTranslations('palette.actions');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const navigate = useNavigate();
  const isAdmin = useHasRole('Admin');
  const isClient = useSuspenseQuery(appInfoQuery).data.runMode === 'Client';
  const { setColorScheme } = useMantineColorScheme();
  const { setLanguage } = useLanguage();
  const signOut = useSignOut();
  const action = (id: string, label: string, run: () => void, hint = ''): Command => ({
    id,
    kind: 'action',
    label,
    hint,
    run,
  });
  const state = { creates: true };
  const sites = useQuery({ ...sitesQuery, enabled: isClient }).data ?? [];
  const municipalities = new Map(
    sites.map(({ municipalityId, municipalityName }) => [municipalityId, municipalityName]),
  );
  return [
    ...(isClient
      ? [
          action(
            'nights',
            t('nights'),
            () => void navigate({ to: '/dashboard', search: { ...keptRange(), ...keptChoice(), nights: true } }),
            t('nightsToo'),
          ),
        ]
      : []),
    ...(isAdmin && isClient
      ? [
          action('site', t('site'), () => void navigate({ to: '/sites', state })),
          action('import', t('import'), () => void navigate({ to: '/sites/import' })),
          ...[...municipalities].map(([id, name]) =>
            action(
              `tariff ${id}`,
              tTerms('newTariff'),
              () => void navigate({ to: '/settings/rates/new', search: { municipality: id } }),
              name,
            ),
          ),
          action('key', t('key'), () => void navigate({ to: '/settings/api-keys', state })),
        ]
      : []),
    ...(isAdmin && !isClient
      ? [action('customer', t('customer'), () => void navigate({ to: '/customers', state }))]
      : []),
    ...(isAdmin
      ? [
          action('user', t('user'), () => void navigate({ to: '/settings/users', state })),
          action('board', t('board'), () => void navigate({ to: '/settings/dashboards', state })),
        ]
      : []),
    ...(['light', 'dark', 'auto'] as const).map((scheme) =>
      action(scheme, tShell(scheme), () => setColorScheme(scheme), tShell('appearance')),
    ),
    ...languages.map((code) => action(code, languageName(code), () => setLanguage(code), tShell('language'))),
    action('sign-out', tShell('signOut'), () => signOut.mutate()),
  ];
}

/** The embedded dashboards, under the URLs that their page uses. */
function useBoards(): Command[] {
  const navigate = useNavigate();
  const boards = useQuery(embeddedDashboardsQuery).data;
  const tool = useQuery({ ...dashboardToolQuery, refetchInterval: false }).data;
  if (boards === undefined || tool === undefined) return [];
  return menuOf(boards, tool.path).map(({ key, title, description }) => ({
    id: key,
    kind: 'board',
    label: title,
    hint: description,
    run: () => void navigate({ to: '/dashboards/$name', params: { name: key } }),
  }));
}

/** The sites and devices of a Client. There may be thousands, so they are prepared once and not at each key press. */
function usePlaces(): readonly Searchable[] {
  const navigate = useNavigate();
  const isClient = useSuspenseQuery(appInfoQuery).data.runMode === 'Client';
  const sites = useQuery({ ...sitesQuery, enabled: isClient }).data;
  const devices = useQuery({ ...devicesQuery, enabled: isClient }).data;
  return useMemo(
    () =>
      searchable([
        ...(sites ?? []).map(({ id, name, municipalityName }): Command => ({
          id,
          kind: 'site',
          label: name,
          hint: municipalityName,
          run: () => void navigate({ to: '/sites/$siteId', params: { siteId: id }, search: keptRange() }),
        })),
        ...(devices ?? []).map(({ id, name, siteId, siteName, externalId }): Command => ({
          id,
          kind: 'device',
          label: name,
          hint: `${siteName} · ${externalId}`,
          run: () =>
            void navigate({
              to: '/sites/$siteId/devices/$deviceId',
              params: { siteId, deviceId: id },
              search: keptRange(),
            }),
        })),
      ]),
    [sites, devices, navigate],
  );
}

/** The customers of the fleet and their sites that match, as the portal finds them. */
function useFleetPlaces(search: string) {
  const navigate = useNavigate();
  const isClient = useSuspenseQuery(appInfoQuery).data.runMode === 'Client';
  const hasRole = (useCurrentUser()?.roles.length ?? 0) > 0;
  const isEnabled = !isClient && hasRole && search.trim() !== '';
  const customers = useFoundCustomers(search, shownMax, isEnabled);
  const sites = useFoundSites(search, shownMax, isEnabled);
  const open = (customerId: string) => void navigate({ to: '/customers/$customerId', params: { customerId } });
  const found: Command[] = [
    ...customers.rows.map(({ id, name, code }): Command => ({
      id,
      kind: 'customer',
      label: name,
      hint: code,
      run: () => open(id),
    })),
    ...sites.rows.map(({ id, name, customerId, customerName }): Command => ({
      id: `${customerId}-${id}`,
      kind: 'site',
      label: name,
      hint: customerName,
      run: () => open(customerId),
    })),
  ];
  const unsent: Unsent = {
    customer: customers.total - customers.rows.length,
    site: sites.total - sites.rows.length,
  };
  return {
    found: searchable(found, true),
    unsent,
    isSearching: isEnabled && !(customers.isSettled && sites.isSettled),
  };
}
