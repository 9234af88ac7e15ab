import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import type { CurveGroup } from './search.ts';

interface CurveGroupControlProps {
  value: CurveGroup;
  groups: readonly CurveGroup[];
  onChange: (group: CurveGroup) => void;
}

/** On a phone as many stand beside each other. */
const mostBeside = 4;

/** Chooses how the load curve is stacked. */
export function CurveGroupControl({ value, groups, onChange }: CurveGroupControlProps) {
  const t = useTranslations('dashboard');
  const isNarrow = useIsNarrow();
  const data = groups.map((group) => ({ value: group, label: t(`groups.${group}`) }));
  const field = { size: 'xs', 'aria-label': t('groupBy'), value, data } as const;
  if (!isNarrow || groups.length <= mostBeside) return <SegmentedControl {...field} onChange={onChange} />;
  const choose = (chosen: string) => {
    const group = groups.find((one) => one === chosen);
    if (group !== undefined) onChange(group);
  };
  return <NativeSelect {...field} onChange={(event) => choose(event.currentTarget.value)} />;
}
