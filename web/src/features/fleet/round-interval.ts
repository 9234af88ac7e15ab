/** An interval in words: "30 seconds", "5 minutes", "2 hours"; whole seconds of one unit. */
export function roundInterval(seconds: number): number {
  const unit = seconds < 90 ? 10 : seconds < 90 * 60 ? 60 : 3600;
  return Math.max(1, Math.round(seconds / unit)) * unit;
}
