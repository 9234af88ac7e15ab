/**
 * For `validateSearch` of a route: `understood`, with every other raw parameter set to undefined. The router merges the result
 * into the raw parameters, so a key that is only absent would keep its value from the URL.
 */
export function onlyUnderstood<Search extends object>(raw: Record<string, unknown>, understood: Search): Search {
  return { ...Object.fromEntries(Object.keys(raw).map((key) => [key, undefined])), ...understood };
}
