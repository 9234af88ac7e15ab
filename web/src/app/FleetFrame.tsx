import { useSuspenseQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { useLanguage } from '../ui/LanguageProvider.tsx';
import { fleetMessagesQuery } from '../lib/i18n/messages.ts';
import { MoreMessages } from '../ui/MoreMessages.tsx';

/** Provides the messages that only the pages of the Admin mode need. */
export function FleetFrame() {
  const { language } = useLanguage();
  return (
    <MoreMessages more={useSuspenseQuery(fleetMessagesQuery(language)).data}>
      <Outlet />
    </MoreMessages>
  );
}
