import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readDeviceChoice, type DeviceChoice } from '../lib/device-choice.ts';
import { keepChoice, keepRange, keptChoice, keptRange } from '../lib/kept-range.ts';
import { linkedRange, readTimeRangeSearch, type TimeRangeSearch } from '../lib/time-range.ts';

/** The range of the page. If the page has none, the range of the previous page. */
export function useKeptRange(): TimeRangeSearch {
  const shown = useMatches({
    select: (matches) => {
      const match = matches.findLast(({ staticData }) => staticData.hasTimeRange);
      if (match === undefined) return null;
      const { range, ...rest } = linkedRange(readTimeRangeSearch({ ...match.search }));
      // Other pages do not keep a range with which a page only opens.
      return range === undefined || range === match.staticData.opensWith ? rest : { range, ...rest };
    },
    structuralSharing: true,
  });
  useEffect(() => {
    if (shown !== null) keepRange(shown);
  }, [shown]);
  return shown ?? keptRange();
}

/** The devices that the Overview shows now, or showed last. */
export function useKeptChoice(): DeviceChoice {
  const shown = useMatches({
    select: (matches) => {
      const match = matches.findLast(({ staticData }) => staticData.hasDeviceChoice);
      return match === undefined ? null : readDeviceChoice({ ...match.search });
    },
    structuralSharing: true,
  });
  useEffect(() => {
    if (shown !== null) keepChoice(shown);
  }, [shown]);
  return shown ?? keptChoice();
}
