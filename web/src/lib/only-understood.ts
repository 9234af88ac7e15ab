/**
 * For `validateSearch` of a route: `understood`, with every other raw parameter gone. The router lays the result over the
 * raw ones, so that a key which is merely absent from it would keep what the address says, a foreign address included.
 */
export function onlyUnderstood<Search extends object>(raw: Record<string, unknown>, understood: Search): Search {
  return { ...Object.fromEntries(Object.keys(raw).map((key) => [key, undefined])), ...understood };
}
