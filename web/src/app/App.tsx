import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useBranding } from '../lib/branding.ts';
import type { FirstMessages } from '../lib/i18n/message-types.ts';
import type { Language } from '../../../shared/messages.ts';
import { usePrinting } from '../ui/printing.ts';
import { createBrandTheme } from '../ui/tokens/theme.ts';
import { BrandHead } from './BrandHead.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { LanguageProvider } from '../ui/LanguageProvider.tsx';
import { SheetHead } from './SheetHead.tsx';

// The same key as in public/first-paint.js, which runs before the first paint.
const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' });

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
  // Marks that keep their colors must stand out from the ground that the reader's system chose.
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
