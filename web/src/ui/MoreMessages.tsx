import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { IntlProvider, useMessages } from 'use-intl';
import type { StageMessages } from '../lib/i18n/catalogue.ts';
import { messagesQuery } from '../lib/i18n/messages.ts';
import { useLanguage } from './LanguageProvider.tsx';

/** Provides the messages of a load stage, which only its children need. */
export function MoreMessages({ stage, children }: { stage: keyof StageMessages; children: ReactNode }) {
  const { language } = useLanguage();
  const messages = useMessages();
  const { data } = useSuspenseQuery(messagesQuery(stage, language));
  const all = useMemo(() => ({ ...messages, ...data }), [messages, data]);
  return (
    <IntlProvider locale={language} messages={all}>
      {children}
    </IntlProvider>
  );
}
