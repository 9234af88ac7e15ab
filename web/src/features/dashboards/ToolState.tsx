import { Loader } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { DashboardToolStatus } from '../../../../shared/embedded-dashboards.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { Age } from '../../ui/Age.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** Why the tool is not there, as far as that is known. */
export function useReason({ failure }: DashboardToolStatus): string | null {
  const t = useTranslations('dashboards');
  return failure === null ? null : t(`reasons.${failure.code}`, { detail: failure.detail });
}

/** Why there is nothing to see yet, and what to do; the page goes on by itself when the tool is there. */
export function ToolState({ tool }: { tool: DashboardToolStatus }) {
  const t = useTranslations('dashboards');
  const { state, since } = tool;
  const reason = useReason(tool);
  const isAdmin = useHasRole('Admin');
  if (state === 'failed' || state === 'off') {
    const Icon = state === 'off' ? IconPlugConnectedX : IconAlertTriangle;
    return (
      <div role="status">
        <EmptyState icon={<Icon size={22} stroke={1.75} />} title={t(`${state}Title`)}>
          {reason !== null && (
            <>
              {t('reason', { reason })}
              <br />
            </>
          )}
          {isAdmin ? t(`${state}Text`) : t('askAdmin')}
        </EmptyState>
      </div>
    );
  }
  const step = state === 'running' ? 'starting' : state;
  return (
    <div role="status">
      <EmptyState icon={<Loader size={22} />} title={t(`${step}Title`)}>
        {t(`${step}Text`)}
        <br />
        <Age at={since} />
      </EmptyState>
    </div>
  );
}
