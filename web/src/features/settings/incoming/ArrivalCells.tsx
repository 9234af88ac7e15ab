import { useTranslations } from 'use-intl';
import type { Arrival } from '../../../../../shared/arrivals.ts';
import { useFocusWhenBack } from '../../../entities/rows-without-device.ts';
import { errorInLanguage } from '../../../lib/i18n/error-texts.ts';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import classes from './ArrivalCells.module.css';
import section from '../section.module.css';

/** The sender of the row: the device with its site, or the ID in the row. */
export function Meter({ arrival: { device, externalId, field } }: { arrival: Arrival }) {
  const t = useTranslations('settings.incoming');
  if (externalId === null) {
    return <span className={section.dimmed}>{t(field === 'body' ? 'body' : 'noExternalId')}</span>;
  }
  if (device === null)
    return (
      <code className={classes.id} title={externalId}>
        {externalId}
      </code>
    );
  return <KnownMeter device={device} externalId={externalId} />;
}

function KnownMeter({ device, externalId }: { device: NonNullable<Arrival['device']>; externalId: string }) {
  const link = useFocusWhenBack(externalId, true);
  return (
    <span className={classes.meter}>
      <LinkAnchor
        ref={link}
        to="/sites/$siteId/devices/$deviceId"
        params={{ siteId: device.siteId, deviceId: device.id }}
        className={section.name}
        c="var(--mantine-color-text)"
      >
        {device.name}
      </LinkAnchor>
      <span className={classes.reason}>
        {device.siteName} · <code>{externalId}</code>
      </span>
    </span>
  );
}

const tones = { accepted: 'good', known: 'quiet', rejected: 'bad' } as const;

interface VerdictProps {
  arrival: Arrival;
  /** The API key under whose deliveries it is listed; null under Incoming. */
  apiKeyId: string | null;
}

/** The result of the row, its reason, and what helps. */
export function Verdict({ arrival, apiKeyId }: VerdictProps) {
  const t = useTranslations('settings.incoming');
  const { verdict, reason, refusal } = arrival;
  return (
    <div className={classes.verdict}>
      <StatusChip tone={tones[verdict]}>{t(`verdicts.${verdict}`)}</StatusChip>
      {reason !== null && (
        <span className={classes.reason}>
          {refusal === null ? reason : errorInLanguage(reason, refusal, { isAtField: true })}
        </span>
      )}
      <Remedy arrival={arrival} apiKeyId={apiKeyId} />
    </div>
  );
}

function Remedy({ arrival: { externalId, field, device }, apiKeyId }: VerdictProps) {
  const t = useTranslations('settings.incoming');
  // An ID that is longer than allowed is shortened here, and would not match.
  if (field !== 'externalId' || externalId === null || externalId.length > 200) return null;
  if (device !== null) return <span className={classes.reason}>{t('since')}</span>;
  return <CreateLink externalId={externalId} apiKeyId={apiKeyId} />;
}

function CreateLink({ externalId, apiKeyId }: { externalId: string; apiKeyId: string | null }) {
  const t = useTranslations('settings.incoming');
  const link = useFocusWhenBack(externalId, false);
  return (
    <LinkAnchor
      ref={link}
      to="/sites"
      search={{ newDevice: externalId }}
      state={{ createsFor: { externalId, apiKeyId } }}
      aria-label={t('createNamed', { externalId })}
    >
      {t('create')}
    </LinkAnchor>
  );
}
