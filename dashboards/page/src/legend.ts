interface LegendItem {
  label: string;
}

const rowHeight = 26;
/** The mark of a series with the room around it, and a letter of its name. */
const markWidth = 44;
const letterWidth = 6.6;

/** Room for all names below a chart, as far as the chart keeps the larger part; the rest is scrolled to. */
export function legendHeight(items: readonly LegendItem[], width: number, height: number): number {
  let rows = 1;
  let used = 0;
  for (const { label } of items) {
    const needed = Math.min(width, markWidth + label.length * letterWidth);
    if (used > 0 && used + needed > width) {
      rows += 1;
      used = 0;
    }
    used += needed;
  }
  return Math.min(rows * rowHeight + 4, Math.max(40, Math.floor(height * 0.45)));
}
