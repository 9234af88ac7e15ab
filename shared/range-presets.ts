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

/** Ranges with a name in URLs and in dashboards, because their meaning changes every day. */
export const rangePresets = [...calendarPresets, 'last24h', 'last7d', 'last30d'] as const;
export type RangePreset = (typeof rangePresets)[number];

export const isPreset = (value: unknown): value is RangePreset => rangePresets.some((preset) => preset === value);
