/** Whole local days, weeks from Monday, months and years. */
export const calendarPresets = [
  'today',
  'yesterday',
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'this-year',
  'last-year',
] as const;

/** Ranges that go by a name in addresses and in dashboards, because they mean others tomorrow. */
export const rangePresets = [...calendarPresets, 'last24h', 'last7d', 'last30d'] as const;
export type RangePreset = (typeof rangePresets)[number];

export const isPreset = (value: unknown): value is RangePreset => rangePresets.some((preset) => preset === value);
