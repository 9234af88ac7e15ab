import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readDeviceChoice, type DeviceChoice } from '../lib/device-choice.ts';
import { keepChoice, keepRange, keptChoice, keptRange } from '../lib/kept-range.ts';
import { linkedRange, readTimeRangeSearch, type TimeRangeSearch } from '../lib/time-range.ts';

/** The range of the page or, if it has none, of the previous page. */
export function useKeptRange(): TimeRangeSearch {
  const shown = useMatches({
    select: (matches) => {
      const match = matches.findLast(({ staticData }) => staticData.hasTimeRange);
      if (match === undefined) return null;
      const { range, ...rest } = linkedRange(readTimeRangeSearch({ ...match.search }));
      // A range that a page only opens with is not kept for other pages.
      return range === undefined || range === match.staticData.opensWith ? rest : { range, ...rest };
    },
    structuralSharing: true,
  });
  useEffect(() => {
    if (shown !== null) keepRange(shown);
  }, [shown]);
  return shown ?? keptRange();
}

/** The devices that the Overview shows, or showed last. */
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
