import type { QueryClient } from '@tanstack/react-query';
import {
  Outlet,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  getRouteApi,
  useRouter,
} from '@tanstack/react-router';
import type { CurrentUser } from '../../../shared/accounts.ts';
import type { RunMode } from '../../../shared/app.ts';
import { readCompareSearch, type CompareSearch } from '../features/compare/search.ts';
import { beginDashboard } from '../features/dashboard/begin-dashboard.ts';
import { readDashboardSearch, readPlaceSearch } from '../features/dashboard/search.ts';
import { readReportSearch } from '../features/dashboard/report/search.ts';
import { measuredPreset, readMeasurementsSearch, type MeasurementsSearch } from '../features/measurements/search.ts';
import { readNewTariffSearch } from '../features/rates/search.ts';
import { readSitesSearch } from '../features/sites/search.ts';
import type { RangePreset } from '../../../shared/time.ts';
import { appInfoQuery } from '../lib/app-info.ts';
import { currentUserQuery } from '../lib/current-user.ts';
import { devicesQuery } from '../lib/devices.ts';
import { startLanguage } from '../lib/i18n/language.ts';
import { onlyUnderstood } from '../lib/only-understood.ts';
import { safeReturnPath } from '../lib/return-path.ts';
import { sitesQuery } from '../lib/sites.ts';
import { PageSkeleton, WindowLoader } from '../ui/Skeletons.tsx';
import { NotFoundPage, PageCrash, RootCrash } from './ErrorPages.tsx';
import { messagesQuery } from '../lib/i18n/messages.ts';
import { pagesOf } from './navigation.ts';
import { page } from './page.ts';
import { MoreMessages } from '../ui/MoreMessages.tsx';
import type { StageMessages } from '../lib/i18n/catalogue.ts';
import { RouteRefusal } from './refusal.ts';
import { sectionRefusal, settingsSections, type SectionName } from './settings-sections.ts';
import { SignInPage } from '../features/sign-in/SignInPage.tsx';

const route = getRouteApi('/sign-in');

/** Sign-in after an earlier session in this window. */
function SignInRoute() {
  const router = useRouter();
  const { returnTo = '/' } = route.useSearch();
  return <SignInPage returnTo={returnTo} onSignedIn={() => void router.navigate({ href: returnTo, replace: true })} />;
}

export interface RouterContext {
  queryClient: QueryClient;
}

/** Guards of the routes that only a Client has, and of those for administrators. */
function needsClient({ context }: { context: { runMode: RunMode } }): void {
  if (context.runMode !== 'Client') throw new RouteRefusal('missing');
}

function needsAdmin({ context }: { context: { user: CurrentUser } }): void {
  if (!context.user.roles.includes('Admin')) throw new RouteRefusal('forbidden');
}

/** For a route: the messages that only its pages need. */
const textsOf = (stage: keyof StageMessages) => ({
  loader: async ({ context: { queryClient } }: { context: RouterContext }) =>
    void (await queryClient.ensureQueryData(messagesQuery(stage, startLanguage()))),
  component: () => (
    <MoreMessages stage={stage}>
      <Outlet />
    </MoreMessages>
  ),
});

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: RootCrash,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { returnTo?: string } => {
    const returnTo = safeReturnPath(search.returnTo);
    return onlyUnderstood(search, returnTo === '/' ? {} : { returnTo });
  },
  beforeLoad: async ({ context: { queryClient }, search }) => {
    // Shows the form without waiting for the answer. If there is a problem, signing in will show it.
    const user = await queryClient.ensureQueryData(currentUserQuery).catch(() => null);
    if (user !== null) throw redirect({ href: search.returnTo ?? '/', replace: true });
  },
  component: SignInRoute,
});

/** All pages behind sign-in. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const user = await queryClient.ensureQueryData(currentUserQuery);
    if (user === null) {
      const returnTo = safeReturnPath(location.href);
      throw redirect({ to: '/sign-in', search: returnTo === '/' ? {} : { returnTo }, replace: true });
    }
    const { runMode } = await queryClient.ensureQueryData(appInfoQuery);
    return { user, runMode };
  },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(messagesQuery('pages', startLanguage())),
  component: page(() => import('./Shell.tsx'), 'Shell'),
  errorComponent: RootCrash,
  pendingComponent: WindowLoader,
});

const dashboardPage = page(() => import('../features/dashboard/DashboardPage.tsx'), 'DashboardPage');

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  // Almost never shown, because nearly everyone is redirected.
  component: dashboardPage,
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readDashboardSearch(search)),
  beforeLoad: ({ context: { runMode, user }, search }) => {
    if (runMode === 'Client') throw redirect({ to: '/dashboard', search, replace: true });
    throw redirect({ to: pagesOf(runMode, user.roles)[0]?.to ?? '/settings', replace: true });
  },
});

/**
 * Requested while the code of the page still arrives. These answers determine the time zone of the page's days, so that its
 * figures are requested only once.
 */
const beginPlaces = (client: QueryClient) => ({
  firstAnswers: Promise.all([client.prefetchQuery(sitesQuery), client.prefetchQuery(devicesQuery)]),
});

/** The pages that only a Client has. In Admin mode they do not exist. */
const clientRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'client',
  beforeLoad: needsClient,
  loader: ({ context: { queryClient } }) => beginPlaces(queryClient),
});

/** The page itself requests this again and shows the error. */
const saidByPage = () => undefined;

const dashboardRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/dashboard',
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readDashboardSearch(search)),
  staticData: { title: 'overview', hasTimeRange: true, hasDeviceChoice: true },
  loader: ({ context: { queryClient }, location, preload }) =>
    preload
      ? {}
      : { firstAnswers: beginDashboard(queryClient, readDashboardSearch(location.search)).catch(saidByPage) },
  shouldReload: false,
  component: dashboardPage,
});

const beginCompare = async (client: QueryClient, search: CompareSearch) =>
  (await import('../features/compare/compared-data.ts')).beginCompare(client, search);

const compareRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/compare',
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readCompareSearch(search)),
  staticData: { title: 'compare', hasTimeRange: true },
  loader: ({ context: { queryClient }, location, preload }) =>
    preload ? {} : { firstAnswers: beginCompare(queryClient, readCompareSearch(location.search)).catch(saidByPage) },
  shouldReload: false,
  component: page(() => import('../features/compare/ComparePage.tsx'), 'ComparePage'),
});

const reportRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/report',
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readReportSearch(search)),
  staticData: { title: 'report' },
  component: page(() => import('../features/dashboard/report/ReportPage.tsx'), 'ReportPage'),
});

const beginMeasurements = async (client: QueryClient, search: MeasurementsSearch) =>
  (await import('../features/measurements/queries.ts')).beginMeasurements(client, search);

/** In both modes; in the Admin mode the user chooses a customer first. */
const measurementsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/measurements',
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readMeasurementsSearch(search)),
  staticData: { title: 'measurements', hasTimeRange: true, opensWith: measuredPreset },
  beforeLoad: ({ context: { runMode, user } }) => {
    if (runMode === 'Admin' && user.roles.length === 0) throw new RouteRefusal('forbidden');
  },
  loader: ({ context: { queryClient, runMode }, location, preload }) => {
    if (runMode !== 'Client') return {};
    if (!preload) beginMeasurements(queryClient, readMeasurementsSearch(location.search)).catch(saidByPage);
    return beginPlaces(queryClient);
  },
  shouldReload: false,
  component: page(() => import('../features/measurements/MeasurementsPage.tsx'), 'MeasurementsPage'),
});

const sitesRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/sites',
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readSitesSearch(search)),
  staticData: { title: 'sites' },
  component: page(() => import('../features/sites/SitesPage.tsx'), 'SitesPage'),
});

const importRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/sites/import',
  staticData: { title: 'sites' },
  beforeLoad: needsAdmin,
  component: page(() => import('../features/sites/ImportTablePage.tsx'), 'ImportTablePage'),
});

const allDevicesRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/sites/devices',
  staticData: { title: 'sites' },
  component: page(() => import('../features/sites/AllDevicesPage.tsx'), 'AllDevicesPage'),
});

const siteRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/sites/$siteId',
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readPlaceSearch(search)),
  staticData: { title: 'sites', hasTimeRange: true },
  component: page(() => import('./PlacePages.tsx'), 'SiteWithFigures'),
});

const deviceRoute = createRoute({
  getParentRoute: () => clientRoute,
  path: '/sites/$siteId/devices/$deviceId',
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readPlaceSearch(search)),
  staticData: { title: 'sites', hasTimeRange: true },
  component: page(() => import('./PlacePages.tsx'), 'DeviceWithFigures'),
});

/** The pages that only the Admin mode has, with their own messages. */
const fleetRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'fleet',
  beforeLoad: ({ context: { runMode } }) => {
    if (runMode !== 'Admin') throw new RouteRefusal('missing');
  },
  ...textsOf('fleet'),
});

/** Data of the fleet, for administrators of all customers and of some. */
const fleetReadsRoute = createRoute({
  getParentRoute: () => fleetRoute,
  id: 'reads',
  beforeLoad: ({ context: { user } }) => {
    if (user.roles.length === 0) throw new RouteRefusal('forbidden');
  },
});

const fleetDashboardRoute = createRoute({
  getParentRoute: () => fleetReadsRoute,
  path: '/fleet',
  staticData: { title: 'overview' },
  component: page(() => import('../features/fleet/FleetPage.tsx'), 'FleetPage'),
});

const customerRoute = createRoute({
  getParentRoute: () => fleetReadsRoute,
  path: '/customers/$customerId',
  staticData: { title: 'customers' },
  component: page(() => import('../features/fleet/CustomerPage.tsx'), 'CustomerPage'),
});

const customersRoute = createRoute({
  getParentRoute: () => fleetRoute,
  path: '/customers',
  staticData: { title: 'customers' },
  beforeLoad: needsAdmin,
  component: page(() => import('../features/fleet/CustomersPage.tsx'), 'CustomersPage'),
});

const dashboardsPage = page(() => import('../features/dashboards/DashboardsPage.tsx'), 'DashboardsPage');

const alarmsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/alarms',
  staticData: { title: 'alarms' },
  beforeLoad: ({ context: { runMode, user } }) => {
    if (runMode === 'Admin' && user.roles.length === 0) throw new RouteRefusal('forbidden');
  },
  component: page(() => import('../features/alarms/AlarmsPage.tsx'), 'AlarmsPage'),
});

/** Reports by mail. */
const reportsRoute = createRoute({
  getParentRoute: () => settingsTextsRoute,
  path: '/reports',
  staticData: { title: 'reports' },
  beforeLoad: ({ context: { runMode, user } }) => {
    if (runMode === 'Admin' && user.roles.length === 0) throw new RouteRefusal('forbidden');
  },
  component: page(() => import('../features/reports/ReportsPage.tsx'), 'ReportsPage'),
});

/** The dashboard tool, in both modes. */
const dashboardsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboards',
  staticData: { title: 'dashboards' },
  component: dashboardsPage,
});

const namedDashboardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/dashboards/$name',
  staticData: { title: 'dashboards' },
  component: dashboardsPage,
});

const settingsTextsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'settings-texts',
  ...textsOf('settings'),
});

const settingsRoute = createRoute({
  getParentRoute: () => settingsTextsRoute,
  path: '/settings',
  staticData: { title: 'settings' },
  component: page(() => import('./SettingsPage.tsx'), 'SettingsPage'),
});

const settingsHomeRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/',
});

const sectionRoutes = settingsSections.map((section) =>
  createRoute({
    getParentRoute: () => settingsRoute,
    path: section.path,
    staticData: { section: section.name },
    // The portal rejects the request anyway. This guard shows that before any request.
    beforeLoad: ({ context: { runMode, user } }) => {
      const refusal = sectionRefusal(section, { runMode, roles: user.roles });
      if (refusal !== null) throw new RouteRefusal(refusal);
    },
    component: section.component,
  }),
);

const ratesTextsRoute = createRoute({
  getParentRoute: () => clientRoute,
  id: 'rates-texts',
  ...textsOf('settings'),
});

/** A page of its own, because a week needs the whole width. */
const tariffRoute = createRoute({
  getParentRoute: () => ratesTextsRoute,
  path: '/settings/rates/$tariffId',
  staticData: { title: 'settings', section: 'rates' },
  component: page(() => import('../features/rates/TariffPages.tsx'), 'TariffPage'),
});

const newTariffRoute = createRoute({
  getParentRoute: () => ratesTextsRoute,
  path: '/settings/rates/new',
  validateSearch: (search: Record<string, unknown>) => onlyUnderstood(search, readNewTariffSearch(search)),
  staticData: { title: 'settings', section: 'rates' },
  beforeLoad: needsAdmin,
  component: page(() => import('../features/rates/TariffPages.tsx'), 'NewTariffPage'),
});

/** Every other URL. It is inside the shell, so that the user finds a way back. */
const unknownRoute = createRoute({ getParentRoute: () => signedInRoute, path: '$', component: NotFoundPage });

const routeTree = rootRoute.addChildren([
  signInRoute,
  signedInRoute.addChildren([
    homeRoute,
    unknownRoute,
    measurementsRoute,
    alarmsRoute,
    dashboardsRoute,
    namedDashboardRoute,
    clientRoute.addChildren([
      dashboardRoute,
      compareRoute,
      reportRoute,
      sitesRoute,
      importRoute,
      allDevicesRoute,
      siteRoute,
      deviceRoute,
      ratesTextsRoute.addChildren([tariffRoute, newTariffRoute]),
    ]),
    fleetRoute.addChildren([customersRoute, fleetReadsRoute.addChildren([fleetDashboardRoute, customerRoute])]),
    settingsTextsRoute.addChildren([reportsRoute, settingsRoute.addChildren([settingsHomeRoute, ...sectionRoutes])]),
  ]),
]);

/** The router of the page; the guards read the session through the query client. */
export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 150,
    defaultErrorComponent: PageCrash,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  interface StaticDataRouteOption {
    /** Key of the page's name in the `shell` messages; the document title and the announcement on arrival. */
    title?:
      | 'compare'
      | 'report'
      | 'reports'
      | 'overview'
      | 'dashboards'
      | 'measurements'
      | 'sites'
      | 'alarms'
      | 'customers'
      | 'settings';
    /** The page has the shared time range in its URL. */
    hasTimeRange?: true;
    /** The default range of this page, used if the URL has none. Without it, the default of all pages applies. */
    opensWith?: RangePreset;
    /** The page is about chosen devices. They stay chosen when the user comes back. */
    hasDeviceChoice?: true;
    /** Key of a section's name in `sections`. */
    section?: SectionName;
  }
}
