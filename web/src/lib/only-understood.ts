/**
 * For `validateSearch` of a route: `understood`, and every other parameter set to undefined. The router merges the result into
 * the parameters of the URL. So a key that is merely absent would keep its value from the URL.
 */
export function onlyUnderstood<Search extends object>(raw: Record<string, unknown>, understood: Search): Search {
  return { ...Object.fromEntries(Object.keys(raw).map((key) => [key, undefined])), ...understood };
}
