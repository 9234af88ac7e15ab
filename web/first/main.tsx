import '../src/lib/zod-without-eval.ts';
import { startTransition, StrictMode, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import type { QueryClient } from '@tanstack/react-query';
import { App } from '../src/app/App.tsx';
import { Entry } from '../src/app/Entry.tsx';
import { messagesQuery } from '../src/lib/i18n/messages.ts';
import { createQueryClient } from '../src/app/query-client.ts';
import { RouteRefusal } from '../src/app/refusal.ts';
import { appInfoQuery, mailOfferQuery } from '../src/lib/app-info.ts';
import { brandingQuery } from '../src/lib/branding.ts';
import { whenConnected } from '../src/lib/connection.ts';
import { currentUserQuery, watchSignIns } from '../src/lib/current-user.ts';
import { wasSignedIn } from '../src/lib/first-paint.ts';
import { OfflineError } from '../src/lib/http.ts';
import { loadFirstMessages } from '../src/lib/i18n/catalogue.ts';
import { startLanguage } from '../src/lib/i18n/language.ts';
import { loadErrorTexts } from '../src/lib/i18n/error-texts.ts';
import { loadCode } from '../src/lib/load-code.ts';
import { keepLastSeen, restoreLastSeen } from '../src/offline/last-seen.ts';
import { isSignOutDue } from '../src/lib/sign-out-due.ts';
import { ErrorState } from '../src/ui/ErrorState.tsx';
import '@fontsource-variable/inter/wght.css';
import '../src/ui/tokens/mantine.css';
import '../src/ui/tokens/tokens.css';
import '../src/ui/tokens/forced-colors.css';
import '../src/ui/tokens/print.css';

async function start(container: HTMLElement): Promise<void> {
  const queryClient = createQueryClient();
  // Requested at once and together: the first page waits for them, and each failure shows where it matters.
  const branding = queryClient.prefetchQuery(brandingQuery);
  void queryClient.prefetchQuery(appInfoQuery);
  // Without the portal, the page opens with the figures that were seen last.
  const user = queryClient.fetchQuery(currentUserQuery).catch(async (error: unknown) => {
    if (isSignOutDue()) queryClient.setQueryData(currentUserQuery.queryKey, null);
    else if (error instanceof OfflineError) await restoreLastSeen(queryClient);
  });
  watchSignIns(queryClient);
  keepLastSeen(queryClient);
  ignoreSecondClicks();
  const language = startLanguage();
  const loadPageCode = loadCode(() => import('../src/app/pages.tsx'));
  const loadPages = async () => {
    const [{ createPages }] = await Promise.all([loadPageCode(), user]);
    return createPages(queryClient);
  };
  let pages = null;
  let first = null;
  if (wasSignedIn()) {
    void queryClient.prefetchQuery(messagesQuery('pages', language));
    first = loadFirst(queryClient);
    pages = loadPages();
  } else void queryClient.prefetchQuery(mailOfferQuery);
  const [messages] = await Promise.all([loadFirstMessages(language), branding, loadErrorTexts(language), user]);
  const isSignedOut = queryClient.getQueryData(currentUserQuery.queryKey) === null;
  if (isSignedOut) {
    takeAskedAhead();
    // Users who start to type will need them.
    container.addEventListener('input', () => void loadPageCode().catch(() => undefined), { once: true });
  }
  const root = createRoot(container, { onCaughtError: reportCaught });
  const draw = (shown: ReactNode) =>
    root.render(
      <StrictMode>
        <App queryClient={queryClient} initialLanguage={language} initialMessages={messages}>
          {shown}
        </App>
      </StrictMode>,
    );
  if (!isSignedOut && pages !== null && first !== null) {
    const isOver = () => null;
    const shown = await Promise.race([first, pages.then(isOver, isOver)]);
    if (shown !== null) draw(shown);
  }
  let shownPages = null;
  try {
    if (!isSignedOut) shownPages = await (pages ?? loadPages());
  } catch (error) {
    draw(<ErrorState error={error} onRetry={() => window.location.reload()} />);
    whenConnected(() => window.location.reload());
    return;
  }
  // In pieces, so that a slow device responds in between.
  startTransition(() => draw(<Entry pages={shownPages} loadPages={loadPages} />));
}

/** Elements that submit on a click: buttons of forms, and other marked ones. */
const sending = 'button[type="submit"], button[data-sends]';

/**
 * Ignores the second click of a double click. By then the first one may have been answered, and its button be enabled again:
 * once, a table that had just been created was sent again and rejected, because all of it existed.
 */
function ignoreSecondClicks(): void {
  document.addEventListener(
    'click',
    (event) => {
      if (event.detail < 2 || !(event.target instanceof Element) || event.target.closest(sending) === null) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { capture: true },
  );
}

/** The requests made ahead were refused. Browsers cache these refusals and would give them to the next user who signs in. */
function takeAskedAhead(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link.asked-ahead'))
    void fetch(link.href).catch(() => undefined);
}

/** Ignore errors here; the pages show them. */
async function loadFirst(queryClient: QueryClient): Promise<ReactNode> {
  try {
    return await (await import('./FirstDashboard.tsx')).loadFirst(queryClient);
  } catch {
    return null;
  }
}

/** A page that is refused on purpose is not an error; everything else that a boundary catches is. */
function reportCaught(error: unknown): void {
  if (!(error instanceof RouteRefusal)) reportError(error);
}

const container = document.getElementById('root');
if (container !== null) void start(container);
