export interface Sort {
  /** The id of the column. */
  id: string;
  isDescending: boolean;
}

/** How a click on the head of a column changes the sort: first the usual direction, then the other, then none. */
export function nextSort(sort: Sort | null, id: string, isNumeric: boolean): Sort | null {
  if (sort?.id !== id) return { id, isDescending: isNumeric };
  return sort.isDescending === isNumeric ? { id, isDescending: !isNumeric } : null;
}

/** The key of an instant, with which the newest comes first. */
export const instantOf = (at: string | null | undefined): number | null =>
  at === null || at === undefined ? null : Date.parse(at);
