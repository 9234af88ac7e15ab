import { useTranslations } from 'use-intl';
import type { DeviceState } from '../lib/live-state.ts';
import { StatusChip } from './StatusChip.tsx';

const tones = { live: 'good', silent: 'warn', noData: 'quiet', off: 'quiet' } as const;

export function DeviceStateChip({ state }: { state: DeviceState }) {
  const t = useTranslations('sites.state');
  return <StatusChip tone={tones[state]}>{t(state)}</StatusChip>;
}
