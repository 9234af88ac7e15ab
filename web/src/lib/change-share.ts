/** A base below this, in kWh or in money, is shown with one digit that counts at most. */
const leastBase = 0.1;
/** What has become more than ten times as much is no longer told in percent. */
const maxShare = 9;

/** How much a number has changed, as a share of the one before; null where that or its sign lets no share say anything. */
export function changeShare(current: number, previous: number): number | null {
  if (Math.abs(previous) < leastBase || Math.sign(current) === -Math.sign(previous)) return null;
  const share = (current - previous) / Math.abs(previous);
  return share > maxShare ? null : share;
}
