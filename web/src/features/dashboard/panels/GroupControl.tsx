import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import type { CurveGroup } from '../search.ts';

interface GroupControlProps<Group extends CurveGroup> {
  label: string;
  value: Group;
  groups: readonly Group[];
  onChange: (group: Group) => void;
}

/** The number of options that fit side by side on a phone. */
const maxBeside = 4;

/** Chooses the grouping of a panel. */
export function GroupControl<Group extends CurveGroup>(props: GroupControlProps<Group>) {
  const { label, value, groups, onChange } = props;
  const t = useTranslations('dashboard');
  const isNarrow = useIsNarrow();
  const data = groups.map((group: CurveGroup) => ({ value: group, label: t(`groups.${group}`) }));
  const field = { size: 'xs', 'aria-label': label, value, data } as const;
  const choose = (chosen: string) => {
    const group = groups.find((one) => one === chosen);
    if (group !== undefined) onChange(group);
  };
  if (!isNarrow || groups.length <= maxBeside) return <SegmentedControl {...field} onChange={choose} />;
  return <NativeSelect {...field} onChange={(event) => choose(event.currentTarget.value)} />;
}
