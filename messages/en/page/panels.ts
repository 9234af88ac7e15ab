/** Panels of the Overview that come after its first numbers. */
export const panels = {
  heatmap: {
    title: 'Average power by hour and day',
    pick: 'Click a cell to see power by device.',
    pickMonth: 'Click a cell to see its month.',
    nothingText: 'No data yet.',
    note: 'All devices; times in {zone}. Blank: no data.',
    noteMonths: 'All devices, average of each hour by month; times in {zone}. Blank: no data.',
    repeated: 'average of {count, number} hours (clocks went back)',
    meanOf: 'average of {count, number}',
    lastYears: 'Last 5 years only.',
    past: 'Hours start {minutes, number} minutes past the hour.',
  },
  nights: {
    title: 'Devices at night',
    open: 'By device',
    table: 'Base load of each device',
    energy: 'Energy per year',
    cost: 'Cost per year',
    currency: 'Currency',
    nights: 'Nights',
    note: 'Lowest power of an hour between midnight and 6:00, median of the nights {nights}. Energy and cost (with VAT) if it runs all year.',
  },
  whoUsesWhat: {
    title: 'Energy flow',
    note: 'Net of export; sub-meters counted once.',
    description:
      '{count, plural, one {# flow} other {# flows}} of energy from main meters to sub-meters. The table has the figures.',
    some: 'Showing {shown, number} of {count, number} flows. The table has all.',
    rest: 'Other',
    table: 'Main meters and sub-meters',
    share: 'Share of parent',
  },
} as const;
