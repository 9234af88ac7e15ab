import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../lib/use-format.ts';
import { ShownOnce, ToCopy } from '../../ui/ShownOnce.tsx';
import { useDisplayZone } from '../../lib/current-user.ts';

/** The settings that a customer's stack needs to push to the portal at `origin` (`https://fleet.example.com`). */
const pushSettings = (origin: string, token: string): string =>
  ['FleetIngest__Enabled=true', `FleetIngest__Url=${origin}/api/fleet/ingest`, `FleetIngest__Token=${token}`].join(
    '\n',
  );

/** A token that was just created for a customer. */
export interface IssuedToken {
  /** The name of the customer. */
  name: string;
  token: string;
  /** What happened to the previous token; null if there was none. */
  rotated: { previousTokenExpiresAt: string | null } | null;
}

/** Shows a new token once, with the settings that make the customer's stack push. */
export function NewToken({ issued: { token, rotated }, onDone }: { issued: IssuedToken; onDone: () => void }) {
  const t = useTranslations('fleet.customers');
  const tPush = useTranslations('push');
  const format = useFormat();
  const zone = useDisplayZone();
  const until = rotated?.previousTokenExpiresAt ?? null;
  return (
    <ShownOnce
      secret={token}
      label={t('token')}
      copyLabel={t('copyToken')}
      warning={t('tokenOnce')}
      notCopied={t('tokenNotCopied')}
      onDone={onDone}
    >
      {(confirmCopied) => (
        <>
          <ToCopy
            heading={t('settings')}
            hint={t('settingsHint')}
            text={pushSettings(window.location.origin, token)}
            copyLabel={tPush('copySettings')}
            onCopied={confirmCopied}
          />
          {rotated !== null && (
            <Text>
              {until === null ? t('previousRefused') : t('previousHonoured', { time: format.dateTime(until, zone) })}
            </Text>
          )}
        </>
      )}
    </ShownOnce>
  );
}
