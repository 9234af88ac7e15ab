import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { mailOfferQuery } from '../../lib/app-info.ts';
import { useBranding } from '../../lib/branding.ts';
import { forgetUserData, noteSignedIn } from '../../lib/current-user.ts';
import { loadCode } from '../../lib/load-code.ts';
import { isSignOutDue } from '../../lib/sign-out-due.ts';
import { BrandMark } from '../../ui/BrandMark.tsx';
import { LanguageSelect } from '../../ui/LanguageSelect.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { SignInForm } from './SignInForm.tsx';
import classes from './SignInPage.module.css';

// Loaded later, because few people forget their password.
const PasswordLinks = lazy(loadCode(async () => ({ default: (await import('./PasswordLinks.tsx')).PasswordLinks })));

interface SignInPageProps {
  /** The page to which signing in leads. */
  returnTo: string;
  /** The token of a link for a new password. Then the page asks only for the password. */
  linkToken?: string | null;
  onSignedIn: () => void;
}

/** The only page before sign-in. Afterwards it leads back to where the session ended. */
export function SignInPage({ returnTo, linkToken = null, onSignedIn }: SignInPageProps) {
  const t = useTranslations('signIn');
  const branding = useBranding();
  const client = useQueryClient();
  const isOffered = useQuery(mailOfferQuery).data?.isOffered;
  const [isForgotten, setIsForgotten] = useState(linkToken !== null);
  useEffect(() => {
    document.title = `${t('title')} · ${branding.applicationName}`;
  }, [t, branding.applicationName]);
  return (
    <div className={classes.page}>
      <main className={classes.card}>
        <div className={classes.brand}>
          <BrandMark branding={branding} size={44} />
          <h1 className={classes.title}>
            {isForgotten ? branding.applicationName : t('subtitle', { name: branding.applicationName })}
          </h1>
        </div>
        {isForgotten ? (
          <Suspense fallback={<BlockSkeleton height={200} />}>
            <PasswordLinks token={linkToken} onBack={() => setIsForgotten(false)} />
          </Suspense>
        ) : (
          <SignInForm
            initialEmail=""
            hint={isSignOutDue() ? t('signOutDue') : returnTo === '/' ? null : t('continueHint')}
            onSignedIn={(user) => {
              forgetUserData(client);
              noteSignedIn(client, user);
              onSignedIn();
            }}
            help={
              isOffered && (
                <Button variant="subtle" color="gray" onClick={() => setIsForgotten(true)}>
                  {t('forgotten')}
                </Button>
              )
            }
          />
        )}
      </main>
      <footer className={classes.footer}>
        <LanguageSelect />
        {branding.footerText}
      </footer>
    </div>
  );
}
