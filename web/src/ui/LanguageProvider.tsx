import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { IntlProvider } from 'use-intl';
import { type FleetMessages, loadMessages, type Messages } from '../lib/i18n/catalogue.ts';
import { saveLanguage, type Language } from '../lib/i18n/language.ts';
import { loadSentences } from '../lib/i18n/sentences.ts';

declare module 'use-intl' {
  interface AppConfig {
    Locale: Language;
    Messages: Messages & { fleet: FleetMessages };
  }
}

interface LanguageChoice {
  language: Language;
  setLanguage: (language: Language) => void;
}

const LanguageContext = createContext<LanguageChoice | null>(null);

interface LanguageProviderProps {
  initialLanguage: Language;
  initialMessages: Messages;
  children: ReactNode;
}

/** Holds the language of the page; a new choice is saved, loads its catalogue and changes the page without a reload. */
export function LanguageProvider({ initialLanguage, initialMessages, children }: LanguageProviderProps) {
  const [{ language, messages }, setLoaded] = useState({ language: initialLanguage, messages: initialMessages });

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  const choice = useMemo(
    () => ({
      language,
      setLanguage: (next: Language) => {
        saveLanguage(next);
        void Promise.all([loadMessages(next), loadSentences(next)]).then(([loaded]) =>
          setLoaded({ language: next, messages: loaded }),
        );
      },
    }),
    [language],
  );

  return (
    <LanguageContext value={choice}>
      {/* No zone: times are written by lib/format.ts, which is told one each time. */}
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
