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
  startTransition,
  Suspense,
  useEffect,
  type MouseEvent,
  useRef,
  useEffectEvent,
  useState,
  useSyncExternalStore,
  type ComponentType,
} from 'react';
import { useTranslations } from 'use-intl';
import { useBranding } from '../lib/branding.ts';
import { currentUserQuery, useCurrentUser } from '../lib/current-user.ts';
import { pagesOf, searchOf } from './navigation.ts';
import { Commands } from './commands/Commands.tsx';
import navigationClasses from './MainNavigation.module.css';
import { afterPaint } from '../ui/after-paint.ts';
import { MoreMessages } from '../ui/MoreMessages.tsx';
import { UserMenu } from './UserMenu.tsx';
import { useWorker } from '../offline/use-worker.tsx';
import classes from './Shell.module.css';
import { appInfoQuery } from '../lib/app-info.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { useKeptChoice, useKeptRange } from './use-kept-range.ts';
import brandClasses from './Brand.module.css';
import { useNotifications } from '@mantine/notifications';
import { loadCode } from '../lib/load-code.ts';
import { useNamedPageTitle } from '../lib/page-title.ts';
import { useFormat } from '../lib/use-format.ts';
import { currentConflict, subscribeToConflicts } from '../lib/edit-conflict.ts';
import { isSessionOver, subscribeToSession } from '../lib/session-over.ts';

const AlarmCount = lazy(loadCode(async () => ({ default: (await import('./AlarmCount.tsx')).AlarmCount })));
const loadOverlays = loadCode(() => import('./Overlays.tsx'));

/** The first page has priority. From then on, they are there without a network. */
const overlaysAfterMs = 10_000;

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
      <OverlaysOnceNeeded />
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

/** Messages and dialogs over the page. Their code is loaded when the first of them is to be shown, or later. */
function OverlaysOnceNeeded() {
  const [Overlays, setOverlays] = useState<ComponentType | null>(null);
  const [isLate, setIsLate] = useState(false);
  const { notifications } = useNotifications();
  const conflict = useSyncExternalStore(subscribeToConflicts, currentConflict);
  const isOver = useSyncExternalStore(subscribeToSession, isSessionOver);
  const waiting = notifications.length + [conflict !== null, isOver, isLate].filter(Boolean).length;
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), overlaysAfterMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (Overlays !== null || waiting === 0) return;
    // While the portal does not answer, the banner says so. The next message tries again.
    loadOverlays().then(
      (loaded) => setOverlays(() => loaded.Overlays),
      () => undefined,
    );
  }, [Overlays, waiting]);
  return Overlays !== null && <Overlays />;
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

/** The pages of the run mode: a column beside the page, a bar at the bottom on small screens. */
function MainNavigation() {
  const t = useTranslations('shell');
  const range = useKeptRange();
  const choice = useKeptChoice();
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const roles = useCurrentUser()?.roles ?? [];
  // The page has priority over the number of alarms, whose code takes a slow phone a thirtieth of a second.
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => afterPaint(() => startTransition(() => setIsPainted(true))), []);
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
              {to === '/alarms' && isPainted && (
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
