import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DashboardSummary } from '../../../../shared/dashboard.ts';
import type { Site } from '../../../../shared/sites.ts';
import { apiKeysQuery } from '../../entities/api-keys.ts';
import { ratesQuery } from '../../entities/rates.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { FirstSteps } from '../../ui/FirstSteps.tsx';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import classes from './Dashboard.module.css';
import { lastReadingMs } from './figures.ts';

interface FirstStepsPanelProps {
  sites: readonly Site[];
  deviceCount: number;
  /** The summary of all devices. */
  summary: DashboardSummary;
  /** Shown instead until it is known whether a step is left. */
  room: ReactNode;
}

/**
 * The steps that administrators must take before figures and costs appear. Shown as long as one is left. Other users see who
 * takes these steps.
 */
export function FirstStepsPanel({ sites, deviceCount, summary, room }: FirstStepsPanelProps) {
  const t = useTranslations('firstSteps');
  const isAdmin = useHasRole('Admin');
  const hasReadings = lastReadingMs(summary) !== null;
  // If there is a cost, there is a tariff. If there is a reading, a device can send.
  const isPriced = summary.costs.length > 0;
  const rates = useQuery({ ...ratesQuery, enabled: isAdmin && !isPriced });
  const keys = useQuery({ ...apiKeysQuery, enabled: isAdmin && !hasReadings });
  const [site] = sites;
  const steps: { name: 'site' | 'tariff' | 'device' | 'key' | 'reading'; isDone: boolean; to: ReactNode }[] = [
    { name: 'site', isDone: site !== undefined, to: <LinkAnchor to="/sites">{t('site')}</LinkAnchor> },
    {
      name: 'tariff',
      isDone: isPriced || rates.data?.every(({ tariffs }) => tariffs.length === 0) !== true,
      to: <LinkAnchor to="/settings/rates">{t('tariff')}</LinkAnchor>,
    },
    {
      name: 'device',
      isDone: deviceCount > 0,
      to:
        site === undefined ? (
          <LinkAnchor to="/sites">{t('device')}</LinkAnchor>
        ) : (
          <LinkAnchor to="/sites/$siteId" params={{ siteId: site.id }}>
            {t('device')}
          </LinkAnchor>
        ),
    },
    {
      name: 'key',
      isDone: hasReadings || (keys.data ?? []).length > 0,
      to: <LinkAnchor to="/settings/api-keys">{t('key')}</LinkAnchor>,
    },
    { name: 'reading', isDone: hasReadings, to: <LinkAnchor to="/settings/incoming">{t('reading')}</LinkAnchor> },
  ];
  if (!isAdmin) return <FirstSteps hasSites={site !== undefined} />;
  if (rates.isLoading) return room;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <div className={`${classes.panel} screen-only`}>
      <Panel title={t('title')} description={t('done', { done, all: steps.length })}>
        <ol className={classes.steps}>
          {steps.map(({ name, isDone, to }) => (
            <li key={name} data-done={isDone}>
              {isDone ? (
                <>
                  <IconCircleCheckFilled size={18} role="img" aria-label={t('isDone')} />
                  {t(name)}
                </>
              ) : (
                <>
                  <IconCircleDashed size={18} stroke={1.75} aria-hidden />
                  {to}
                </>
              )}
            </li>
          ))}
        </ol>
      </Panel>
    </div>
  );
}
