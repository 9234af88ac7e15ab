import { useTranslations } from 'use-intl';
import type { Arrival } from '../../../../shared/arrivals.ts';
import { inLanguage } from '../../lib/i18n/sentences.ts';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import classes from './ArrivalCells.module.css';
import section from './section.module.css';

/** What sent the row: the device with its site, or what the row said of it. */
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
  return (
    <span className={classes.meter}>
      <LinkAnchor
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

/** What became of the row, why, and what helps. */
export function Verdict({ arrival }: { arrival: Arrival }) {
  const t = useTranslations('settings.incoming');
  const { verdict, reason, field } = arrival;
  // A whole request is no field of it.
  const said = field === 'body' ? reason?.replace(/^body: /, '') : reason;
  return (
    <div className={classes.verdict}>
      <StatusChip tone={tones[verdict]}>{t(`verdicts.${verdict}`)}</StatusChip>
      {said && <span className={classes.reason}>{inLanguage(said)}</span>}
      <Remedy arrival={arrival} />
    </div>
  );
}

function Remedy({ arrival: { externalId, field, device } }: { arrival: Arrival }) {
  const t = useTranslations('settings.incoming');
  // A longer one than devices have is shortened, and would not match.
  if (field !== 'externalId' || externalId === null || externalId.length > 200) return null;
  if (device !== null) return <span className={classes.reason}>{t('since')}</span>;
  return (
    <LinkAnchor to="/sites" search={{ newDevice: externalId }} aria-label={t('createNamed', { externalId })}>
      {t('create')}
    </LinkAnchor>
  );
}
