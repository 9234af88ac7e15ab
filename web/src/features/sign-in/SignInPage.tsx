import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useBranding } from '../../lib/branding.ts';
import { forgetUserData, noteSignedIn } from '../../lib/current-user.ts';
import { isSignOutDue } from '../../lib/sign-out-due.ts';
import { BrandMark } from '../../ui/BrandMark.tsx';
import { LanguageSelect } from '../../ui/LanguageSelect.tsx';
import { SignInForm } from './SignInForm.tsx';
import classes from './SignInPage.module.css';

interface SignInPageProps {
  /** Where signing in leads. */
  returnTo: string;
  onSignedIn: () => void;
}

/** The one page before sign-in. Leads back to where the session ended. */
export function SignInPage({ returnTo, onSignedIn }: SignInPageProps) {
  const t = useTranslations('signIn');
  const branding = useBranding();
  const client = useQueryClient();
  useEffect(() => {
    document.title = `${t('title')} · ${branding.applicationName}`;
  }, [t, branding.applicationName]);
  return (
    <div className={classes.page}>
      <main className={classes.card}>
        <div className={classes.brand}>
          <BrandMark branding={branding} size={44} />
          <h1 className={classes.title}>{t('subtitle', { name: branding.applicationName })}</h1>
        </div>
        <SignInForm
          initialEmail=""
          hint={isSignOutDue() ? t('signOutDue') : returnTo === '/' ? null : t('continueHint')}
          onSignedIn={(user) => {
            forgetUserData(client);
            noteSignedIn(client, user);
            onSignedIn();
          }}
        />
      </main>
      <footer className={classes.footer}>
        <LanguageSelect />
        {branding.footerText}
      </footer>
    </div>
  );
}
