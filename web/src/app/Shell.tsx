import {
  Outlet,
  useRouter,
  Link,
  useMatches,
  useRouterState,
  useElementScrollRestoration,
} from '@tanstack/react-router';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import {
  lazy,
  Suspense,
  useEffect,
  type MouseEvent,
  useMemo,
  useRef,
  useEffectEvent,
  useSyncExternalStore,
} from 'react';
import { useTranslations } from 'use-intl';
import { useBranding } from '../lib/branding.ts';
import { currentUserQuery, useCurrentUser } from '../lib/current-user.ts';
import { pagesOf, searchOf } from './navigation.ts';
import { Commands } from './commands/Commands.tsx';
import navigationClasses from './MainNavigation.module.css';
import { MoreMessages } from '../ui/MoreMessages.tsx';
import { SessionOverDialog } from './SessionOverDialog.tsx';
import { UserMenu } from './UserMenu.tsx';
import { useWorker } from '../offline/use-worker.tsx';
import classes from './Shell.module.css';
import { appInfoQuery } from '../lib/app-info.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { useKeptChoice, useKeptRange } from './use-kept-range.ts';
import brandClasses from './Brand.module.css';
import { MantineThemeProvider, Button, Group, Stack, Table, Text } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { loadCode } from '../lib/load-code.ts';
import { useNamedPageTitle } from '../lib/page-title.ts';
import { useFormat } from '../lib/use-format.ts';
import { currentConflict, subscribeToConflicts } from '../lib/edit-conflict.ts';
import { Dialog } from '../ui/Dialog.tsx';

const AlarmCount = lazy(loadCode(async () => ({ default: (await import('./AlarmCount.tsx')).AlarmCount })));

/** How long a page may take to reach its previous height. */
const patienceMs = 10_000;
const readersOwn = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/**
 * Restores the scroll position after Back or a reload, as soon as the page is high enough. The router tries only once, before
 * the lower part of the page has loaded. Stops trying when the reader scrolls.
 */
function KeptPlace() {
  const { history } = useRouter();
  const key = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.key });
  const kept = useElementScrollRestoration({ getElement: () => window });
  // The first page of the window was reloaded, or has no stored position.
  const isReturn = useRef(true);
  useEffect(
    () =>
      history.subscribe(({ action: { type } }) => {
        isReturn.current = type === 'BACK' || type === 'FORWARD' || type === 'GO';
      }),
    [history],
  );
  const keptTop = useEffectEvent((at: string | undefined) =>
    at !== undefined && isReturn.current ? (kept?.scrollY ?? 0) : 0,
  );

  useEffect(() => {
    const top = keptTop(key);
    if (top === 0) return;
    const ended = new AbortController();
    const observer = new ResizeObserver(() => {
      if (document.documentElement.scrollHeight - window.innerHeight < top) return;
      ended.abort();
      window.scrollTo({ top, behavior: 'instant' });
    });
    const timer = setTimeout(() => ended.abort(), patienceMs);
    ended.signal.addEventListener('abort', () => {
      observer.disconnect();
      clearTimeout(timer);
    });
    for (const event of readersOwn) {
      window.addEventListener(event, () => ended.abort(), { signal: ended.signal, passive: true });
    }
    observer.observe(document.body);
    return () => ended.abort();
  }, [key]);
  return null;
}

/** The frame around every page behind sign-in, with the messages for these pages. */
export function Shell() {
  return (
    <MoreMessages stage="pages">
      <Frame />
    </MoreMessages>
  );
}

/** Brand, navigation, user menu, footer. */
function Frame() {
  const t = useTranslations('shell');
  const { footerText } = useBranding();
  useLeaveWhenSessionEnds();
  useWorker();
  return (
    <div className={classes.shell}>
      <a href="#content" className={`${classes.skip} screen-only`} onClick={focusContent}>
        {t('skipToContent')}
      </a>
      <header className={`${classes.header} screen-only`}>
        <Brand />
        <Commands />
        <MainNavigation />
        <div className={classes.user}>
          <UserMenu />
        </div>
      </header>
      <div className={classes.column}>
        <main id="content" tabIndex={-1} className={classes.main}>
          <Outlet />
        </main>
        {footerText !== '' && <footer className={classes.footer}>{footerText}</footer>}
      </div>
      <RouteAnnouncer />
      <KeptPlace />
      <Toasts />
      <EditConflictDialog />
      <SessionOverDialog />
    </div>
  );
}

/** Moves the focus without the router, which would treat a new hash in the URL as a navigation. */
function focusContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** If nobody is signed in, the guards run again and lead to sign-in. */
function useLeaveWhenSessionEnds(): void {
  const router = useRouter();
  const { data } = useQuery(currentUserQuery);
  useEffect(() => {
    if (data === null) void router.invalidate();
  }, [data, router]);
}

/** Logo and name and, in Admin mode, the tag that distinguishes the fleet from a customer's portal. */
function Brand() {
  const t = useTranslations('shell');
  const branding = useBranding();
  const range = useKeptRange();
  const choice = useKeptChoice();
  const { runMode, demoPercent } = useSuspenseQuery(appInfoQuery).data;
  const tTerms = useTranslations('terms');
  const format = useFormat();
  return (
    <div className={brandClasses.brand}>
      <Link
        to="/"
        search={{ ...range, ...choice }}
        className={brandClasses.link}
        aria-label={t('homeOf', { name: branding.applicationName })}
      >
        <BrandMark branding={branding} size={28} />
        <span className={`${brandClasses.name} one-line`}>{branding.applicationName}</span>
      </Link>
      {runMode === 'Admin' && <span className={brandClasses.tag}>{t('fleetAdmin')}</span>}
      {demoPercent !== undefined && (
        <span className={brandClasses.tag}>{tTerms('demo', { share: format.percent(demoPercent / 100) })}</span>
      )}
    </div>
  );
}

/** Short messages at the edge of the page, whose close buttons have a name. */
function Toasts() {
  const close = useTranslations('common')('close');
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } } } }),
    [close],
  );
  return (
    <MantineThemeProvider theme={theme}>
      <Notifications position="bottom-right" autoClose={5000} className={`${classes.toasts} screen-only`} />
    </MantineThemeProvider>
  );
}

/** Sets the document title. On a new page it announces the name to screen readers and moves focus to the content. */
function RouteAnnouncer() {
  const title = useTitle();
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const arrivedAt = useRef<string | undefined>(undefined);

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(() => {
    if (path === undefined || path === arrivedAt.current) return;
    const isFirst = arrivedAt.current === undefined;
    arrivedAt.current = path;
    if (!isFirst) document.getElementById('content')?.focus({ preventScroll: true });
  }, [path]);

  return (
    <div className="visually-hidden" aria-live="polite" aria-atomic>
      {title}
    </div>
  );
}

/** From the specific to the general: the name of a site or section, the page, the application. */
function useTitle(): string {
  const t = useTranslations('shell');
  const tSection = useTranslations('sections');
  const { applicationName } = useBranding();
  const name = useNamedPageTitle();
  const { page, section } = useMatches({
    select: (matches) => ({
      page: matches.findLast(({ staticData }) => staticData.title)?.staticData.title,
      section: matches.findLast(({ staticData }) => staticData.section)?.staticData.section,
    }),
    structuralSharing: true,
  });
  const parts = [name, section && tSection(section), page && t(page), applicationName];
  return parts.filter((part) => typeof part === 'string').join(' · ');
}

/** Shows both versions of an edit conflict and lets the second editor choose. */
function EditConflictDialog() {
  const t = useTranslations('conflict');
  const conflict = useSyncExternalStore(subscribeToConflicts, currentConflict);
  if (conflict === null) return null;
  return (
    <Dialog opened onClose={() => conflict.decide('neither')} title={t('title')} size="lg">
      <Stack gap="md">
        <Text>{t('text')}</Text>
        <Table aria-label={t('title')} withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('field')}</Table.Th>
              <Table.Th scope="col">{t('mine')}</Table.Th>
              <Table.Th scope="col">{t('theirs')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {conflict.differences.map(({ label, mine, theirs }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td>{mine === '' ? '—' : mine}</Table.Td>
                <Table.Td>{theirs === '' ? '—' : theirs}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={() => conflict.decide('theirs')}>
            {t('takeTheirs')}
          </Button>
          <Button onClick={() => conflict.decide('mine')}>{t('keepMine')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The pages of the run mode: a column beside the page, a bar at the bottom on small screens. */
function MainNavigation() {
  const t = useTranslations('shell');
  const range = useKeptRange();
  const choice = useKeptChoice();
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const roles = useCurrentUser()?.roles ?? [];
  return (
    <nav aria-label={t('mainNavigation')} className={navigationClasses.navigation}>
      <ul className={navigationClasses.list}>
        {pagesOf(runMode, roles).map(({ to, label, icon: Icon, ...item }) => (
          <li key={to} data-wide-only={item.isWideOnly}>
            <Link
              to={to}
              search={searchOf(item, range, choice)}
              activeOptions={{ includeSearch: false }}
              className={navigationClasses.item}
            >
              <Icon size={18} stroke={1.75} aria-hidden className={navigationClasses.icon} />
              <span className={`${navigationClasses.label} one-line`}>{t(label)}</span>
              {to === '/alarms' && (
                <Suspense>
                  <AlarmCount />
                </Suspense>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
