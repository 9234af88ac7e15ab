import { CssBaseline, ThemeProvider, useMediaQuery } from '@mui/material';
import { ChartsProvider, SnackbarProvider } from '@perses-dev/components';
import { PluginRegistry, ReactRouterProvider } from '@perses-dev/plugin-system';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router-dom';
import { QueryParamProvider } from 'use-query-params';
import { ReactRouter6Adapter } from 'use-query-params/adapters/react-router-6';
import type { ToolUser } from '../../../shared/dashboard-tool.ts';
import { ApiError } from '../../../web/src/lib/http.ts';
import { basePath, getUser } from './api.ts';
import { DashboardPage } from './DashboardPage.tsx';
import { ListPage } from './ListPage.tsx';
import { Message } from './Message.tsx';
import { pluginLoader } from './plugins/loader.ts';
import { chooseScheme, createToolChartsTheme, createToolTheme } from './theme.ts';
import { ToolUserContext } from './tool-user.ts';
import { showZone } from './zone.ts';

// A rejected request would be rejected again. A request without an answer may succeed later.
const retry = (count: number, error: unknown): boolean => !(error instanceof ApiError) && count < 2;

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry, refetchOnWindowFocus: false, staleTime: 10_000 } },
});

const askedScheme = new URLSearchParams(window.location.search).get('theme');

function savedScheme(): string | null {
  try {
    return localStorage.getItem('color-scheme');
  } catch {
    return null;
  }
}

/** Until the brand is known, the page has the portal's default color. */
const neutralColor = '#0b7285';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>
  );
}

function Page() {
  const { data: user, error } = useQuery({ queryKey: ['me'], queryFn: getUser, staleTime: Infinity });
  if (user !== undefined) showZone(user.timeZone, user.runMode === 'Admin');
  return (
    <Branded primaryColor={user?.brand.primaryColor ?? neutralColor}>
      {user !== undefined ? <Tool user={user} /> : error !== null && <Message error={error} />}
    </Branded>
  );
}

function Branded({ primaryColor, children }: { primaryColor: string; children: ReactNode }) {
  const isSystemDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true });
  const scheme = chooseScheme(askedScheme, savedScheme(), isSystemDark);
  const { theme, chartsTheme } = useMemo(() => {
    const made = createToolTheme(primaryColor, scheme);
    return { theme: made, chartsTheme: createToolChartsTheme(made, primaryColor) };
  }, [primaryColor, scheme]);
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline enableColorScheme />
      <ChartsProvider chartsTheme={chartsTheme} enablePinning={false} enableSyncGrouping={false}>
        {children}
      </ChartsProvider>
    </ThemeProvider>
  );
}

function Tool({ user }: { user: ToolUser }) {
  return (
    <ToolUserContext.Provider value={user}>
      <SnackbarProvider anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }} autoHideDuration={5000}>
        <BrowserRouter basename={basePath}>
          <ReactRouterProvider>
            <QueryParamProvider adapter={ReactRouter6Adapter}>
              <PluginRegistry
                pluginLoader={pluginLoader}
                defaultPluginKinds={{
                  Panel: 'TimeSeriesChart',
                  TimeSeriesQuery: 'PortalQuery',
                  Variable: 'PortalSites',
                }}
              >
                <Routes>
                  <Route path="/" element={<ListPage />} />
                  <Route path="/new" element={<ListPage isNew />} />
                  <Route path="/dashboards/:name" element={<DashboardPage />} />
                  <Route path="*" element={<Message error={null} />} />
                </Routes>
              </PluginRegistry>
            </QueryParamProvider>
          </ReactRouterProvider>
        </BrowserRouter>
      </SnackbarProvider>
    </ToolUserContext.Provider>
  );
}
