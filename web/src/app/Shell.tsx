import { Outlet, useRouter } from '@tanstack/react-router';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, type MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useBranding } from '../lib/branding.ts';
import { currentUserQuery } from '../lib/current-user.ts';
import { Brand } from './Brand.tsx';
import { Commands } from './commands/Commands.tsx';
import { EditConflictDialog } from './EditConflictDialog.tsx';
import { useLanguage } from '../ui/LanguageProvider.tsx';
import { KeptPlace } from './KeptPlace.tsx';
import { MainNavigation } from './MainNavigation.tsx';
import { messagesQuery } from '../lib/i18n/messages.ts';
import { MoreMessages } from './MoreMessages.tsx';
import { RouteAnnouncer } from './RouteAnnouncer.tsx';
import { SessionOverDialog } from './SessionOverDialog.tsx';
import { Toasts } from './Toasts.tsx';
import { UserMenu } from './UserMenu.tsx';
import { useWorker } from './use-worker.tsx';
import classes from './Shell.module.css';

/** The frame around every page behind sign-in, with the messages for these pages. */
export function Shell() {
  const { language } = useLanguage();
  return (
    <MoreMessages more={useSuspenseQuery(messagesQuery(language)).data}>
      <Frame />
    </MoreMessages>
  );
}

/** Brand, navigation, user menu, footer. */
function Frame() {
  const t = useTranslations('shell');
  const { footerText } = useBranding();
  useLeaveWhenSessionEnds();
  useWorker();
  return (
    <div className={classes.shell}>
      <a href="#content" className={`${classes.skip} screen-only`} onClick={focusContent}>
        {t('skipToContent')}
      </a>
      <header className={`${classes.header} screen-only`}>
        <Brand />
        <Commands />
        <MainNavigation />
        <div className={classes.user}>
          <UserMenu />
        </div>
      </header>
      <div className={classes.column}>
        <main id="content" tabIndex={-1} className={classes.main}>
          <Outlet />
        </main>
        {footerText !== '' && <footer className={classes.footer}>{footerText}</footer>}
      </div>
      <RouteAnnouncer />
      <KeptPlace />
      <Toasts />
      <EditConflictDialog />
      <SessionOverDialog />
    </div>
  );
}

/** Without the router, which would take a new hash in the address for a navigation. */
function focusContent(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

/** When nobody is signed in any more, the guards run again and lead to sign-in. */
function useLeaveWhenSessionEnds(): void {
  const router = useRouter();
  const { data } = useQuery(currentUserQuery);
  useEffect(() => {
    if (data === null) void router.invalidate();
  }, [data, router]);
}
