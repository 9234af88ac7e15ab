/** A color for each band, in their order. After the last one they repeat; numbers and patterns distinguish the bands. */
export function bandColors(series: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, index) => series[index % series.length] ?? '#808080');
}
