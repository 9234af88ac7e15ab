import { useMemo, type ReactNode } from 'react';
import { IntlProvider, useMessages } from 'use-intl';
import type { FleetMessages, Messages, NumbersMessages } from '../lib/i18n/catalogue.ts';
import { useLanguage } from './LanguageProvider.tsx';

interface MoreMessagesProps {
  more: NumbersMessages | Messages | { fleet: FleetMessages };
  children: ReactNode;
}

/** Provides messages that only its children need. */
export function MoreMessages({ more, children }: MoreMessagesProps) {
  const { language } = useLanguage();
  const messages = useMessages();
  const all = useMemo(() => ({ ...messages, ...more }), [messages, more]);
  return (
    <IntlProvider locale={language} messages={all}>
      {children}
    </IntlProvider>
  );
}
