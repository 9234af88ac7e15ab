import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { CurrentUser } from '../../../../shared/accounts.ts';
import { mayHavePasskeys } from '../../lib/passkeys.ts';
import { SignInMessage } from './SignInMessage.tsx';
import { useLockout, usePasskey } from './use-sign-in.ts';

/** Signs in with a passkey and without a password. Shown if browsers allow passkeys for this address. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (user: CurrentUser) => void }) {
  const t = useTranslations('signIn');
  const passkey = usePasskey();
  // A passkey locks no email. But an address that has failed too often must wait.
  const { secondsLeft, noteRefusal } = useLockout('');
  if (!mayHavePasskeys()) return null;
  return (
    <>
      <SignInMessage error={passkey.error} wrong={t('passkeyRefused')} hint={null} {...{ secondsLeft }} />
      <Button
        data-sends
        variant="default"
        size="md"
        fullWidth
        loading={passkey.isPending}
        disabled={secondsLeft > 0}
        onClick={() => passkey.mutate(undefined, { onSuccess: onSignedIn, onError: (error) => noteRefusal(error, '') })}
      >
        {t('withPasskey')}
      </Button>
    </>
  );
}
