import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { loadFirstMessages } from '../lib/i18n/catalogue.ts';
import type { FirstMessages, StageMessages } from '../lib/i18n/catalogue.ts';
import type { Language } from '../../../shared/messages.ts';
import { saveLanguage } from '../lib/first-paint.ts';
import { loadErrorTexts } from '../lib/i18n/error-texts.ts';
import { messagesQuery } from '../lib/i18n/messages.ts';

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: FirstMessages & StageMessages['pages'] & StageMessages['settings'] & StageMessages['fleet'];
  }
}

interface LanguageChoice {
  language: Language;
  setLanguage: (language: Language) => void;
}

const LanguageContext = createContext<LanguageChoice | null>(null);

interface LanguageProviderProps {
  initialLanguage: Language;
  initialMessages: FirstMessages;
  children: ReactNode;
}

/** Holds the language of the page; a new choice is saved, loads its catalogue and changes the page without a reload. */
export function LanguageProvider({ initialLanguage, initialMessages, children }: LanguageProviderProps) {
  const [{ language, messages }, setLoaded] = useState({ language: initialLanguage, messages: initialMessages });
  const client = useQueryClient();

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  const choice = useMemo(
    () => ({
      language,
      setLanguage: (next: Language) => {
        saveLanguage(next);
        // Contains the whole page, which stays while its language loads.
        const more = (['pages', 'settings', 'fleet'] as const).filter(
          (stage) => stage === 'pages' || client.getQueryData(messagesQuery(stage, language).queryKey) !== undefined,
        );
        const loading = [
          loadFirstMessages(next),
          loadErrorTexts(next),
          ...more.map((stage) => client.prefetchQuery(messagesQuery(stage, next))),
        ] as const;
        void Promise.all(loading).then(([messages]) => setLoaded({ language: next, messages }));
      },
    }),
    [language, client],
  );

  return (
    <LanguageContext value={choice}>
      {/* No zone: lib/format.ts writes times and is given a zone each time. */}
      <IntlProvider locale={language} messages={messages}>
        {children}
      </IntlProvider>
    </LanguageContext>
  );
}

export function useLanguage(): LanguageChoice {
  const choice = use(LanguageContext);
  if (choice === null) throw new Error('useLanguage outside LanguageProvider');
  return choice;
}
