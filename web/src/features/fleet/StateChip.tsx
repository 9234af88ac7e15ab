import { useTranslations } from 'use-intl';
import { StatusChip } from '../../ui/StatusChip.tsx';
import type { CustomerState } from './trouble.ts';

const tones = { silent: 'bad', failing: 'warn', waiting: 'quiet', off: 'quiet', live: 'good' } as const;

export function StateChip({ state }: { state: CustomerState }) {
  const t = useTranslations('fleet.states');
  return <StatusChip tone={tones[state]}>{t(state)}</StatusChip>;
}
