import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { CurrentUser } from '../../../../shared/accounts.ts';
import { mayHavePasskeys } from '../../lib/passkeys.ts';
import { SignInMessage } from './SignInMessage.tsx';
import { usePasskey } from './use-sign-in.ts';

/** Signs in without a password, where browsers have passkeys for this address. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (user: CurrentUser) => void }) {
  const t = useTranslations('signIn');
  const tSecondFactor = useTranslations('secondFactor');
  const passkey = usePasskey();
  if (!mayHavePasskeys()) return null;
  return (
    <>
      <SignInMessage error={passkey.error} wrong={tSecondFactor('passkeyRefused')} secondsLeft={0} hint={null} />
      <Button
        data-sends
        variant="default"
        size="md"
        fullWidth
        loading={passkey.isPending}
        onClick={() => passkey.mutate(undefined, { onSuccess: onSignedIn })}
      >
        {t('withPasskey')}
      </Button>
    </>
  );
}
