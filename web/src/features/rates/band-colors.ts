/** A color for each band, in their order; after the last one they start again, which numbers and patterns make up for. */
export function bandColors(series: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => series[index % series.length] ?? '#808080');
}
