import { useTranslations } from 'use-intl';
import type { CustomerState } from '../../../../shared/fleet.ts';
import { StatusChip } from '../../ui/StatusChip.tsx';

const tones = {
  silent: 'bad',
  unmeasured: 'bad',
  failing: 'warn',
  waiting: 'quiet',
  off: 'quiet',
  live: 'good',
} as const;

export function StateChip({ state }: { state: CustomerState }) {
  const t = useTranslations('fleet.states');
  return <StatusChip tone={tones[state]}>{t(state)}</StatusChip>;
}
