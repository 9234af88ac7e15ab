import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { IntlProvider, useMessages } from 'use-intl';
import { loadFleetMessages } from '../lib/i18n/catalogue.ts';
import type { Language } from '../lib/i18n/language.ts';
import { loadCode } from '../lib/load-code.ts';
import { useLanguage } from '../ui/LanguageProvider.tsx';

const fleetMessagesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['fleet-messages', language],
    queryFn: loadCode(() => loadFleetMessages(language)),
    staleTime: Infinity,
  });

/** Gives the pages of the Admin mode the messages that no other page needs. */
export function FleetFrame() {
  const { language } = useLanguage();
  const messages = useMessages();
  const fleet = useSuspenseQuery(fleetMessagesQuery(language)).data;
  return (
    <IntlProvider locale={language} messages={{ ...messages, fleet }}>
      <Outlet />
    </IntlProvider>
  );
}
