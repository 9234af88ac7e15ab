import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { QueryClientProvider, type QueryClient, useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode, useEffect } from 'react';
import { useBranding } from '../lib/branding.ts';
import { colorSchemeKey } from '../lib/first-paint.ts';
import type { FirstMessages } from '../lib/i18n/catalogue.ts';
import type { Language } from '../../../shared/messages.ts';
import { createBrandTheme } from '../ui/tokens/theme.ts';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { LanguageProvider } from '../ui/LanguageProvider.tsx';
import type { Branding } from '../../../shared/app.ts';
import { currentUserQuery } from '../lib/current-user.ts';
import { keepForFirstPaint } from '../lib/first-paint.ts';
import { filledColor } from '../../../shared/palette.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { sheetHeadPlace, usePrinting } from '../ui/printing.tsx';

const colorSchemeManager = localStorageColorSchemeManager({ key: colorSchemeKey });

interface AppProps {
  queryClient: QueryClient;
  initialLanguage: Language;
  initialMessages: FirstMessages;
  children: ReactNode;
}

/** Providers from the outside in: data, language, brand. */
export function App({ queryClient, initialLanguage, initialMessages, children }: AppProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider initialLanguage={initialLanguage} initialMessages={initialMessages}>
        <Branded>{children}</Branded>
      </LanguageProvider>
    </QueryClientProvider>
  );
}

function Branded({ children }: { children: ReactNode }) {
  const branding = useBranding();
  const { theme, cssVariables } = useMemo(() => createBrandTheme(branding), [branding]);
  // Marks with fixed colors must be visible on the background that the reader's system chooses.
  const isForced = useMediaQuery('(forced-colors: active)', false, { getInitialValueInEffect: false });
  const isDark = useMediaQuery('(prefers-color-scheme: dark)', false, { getInitialValueInEffect: false });
  const isPrinting = usePrinting();
  return (
    <MantineProvider
      {...(isForced || isPrinting ? { forceColorScheme: isDark && !isPrinting ? 'dark' : 'light' } : {})}
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
    >
      <BrandHead branding={branding} />
      <SheetHead />
      <ConnectionBanner />
      {children}
    </MantineProvider>
  );
}

/** The logo. Without a logo, a bolt on the primary color. */
function faviconOf({ logoUrl, primaryColor }: Pick<Branding, 'logoUrl' | 'primaryColor'>): string {
  if (logoUrl !== '') return logoUrl;
  const { background, text } = filledColor(primaryColor);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" rx="8" fill="${background}"/><path d="M17.5 5 8 18h6.5L13 27l10-13.5h-6.5z" fill="${text}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/**
 * Keeps the icon of the tab, and the first look of the next load, in the colors of the brand. The shell sets the title, because
 * only it knows the page.
 */
function BrandHead({ branding }: { branding: Branding }) {
  const href = faviconOf(branding);
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    if (link !== null) link.href = href;
  }, [href]);
  const user = useQuery(currentUserQuery).data;
  useEffect(() => {
    if (user !== undefined) keepForFirstPaint(branding, user !== null);
  }, [branding, user]);
  return null;
}

/** The head of each printed sheet: the brand, and the text that the page adds. */
function SheetHead() {
  const branding = useBranding();
  return (
    <div className="sheet-head">
      <div className="sheet-head-line">
        <BrandMark branding={branding} size={18} />
        <b>{branding.applicationName}</b>
        <div id={sheetHeadPlace} className="sheet-head-place" />
      </div>
    </div>
  );
}
