import { useTranslations } from 'use-intl';
import type { CustomerState } from '../../../shared/states.rules.ts';
import { StatusChip } from '../ui/StatusChip.tsx';

const tones = {
  silent: 'bad',
  failing: 'bad',
  unavailable: 'bad',
  never: 'warn',
  late: 'warn',
  inactive: 'quiet',
  sending: 'good',
} as const;

/** In the Admin mode only. */
export function CustomerStateChip({ state }: { state: CustomerState }) {
  const t = useTranslations('sites.customerState');
  return <StatusChip tone={tones[state]}>{t(state)}</StatusChip>;
}
