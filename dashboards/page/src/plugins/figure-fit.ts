/** The available space for some figures, and the space that each needs. */
interface FigureRoom {
  count: number;
  /** Characters of the longest figure. */
  length: number;
  width: number;
  height: number;
  /** The space beside the figure: for its name, or the bar of a gauge. */
  besideHeight: number;
  largestFont: number;
}

/** A smaller font cannot be read from a distance. */
const smallestFont = 13;
/** Width of a bold character, as a share of the font size. */
const characterWidth = 0.62;
const lineHeight = 1.3;
const gap = 12;

const fontIn = ({ length, width, height, besideHeight, largestFont }: FigureRoom, columns: number, rows: number) =>
  Math.min(
    largestFont,
    (width / columns - gap) / (Math.max(1, length) * characterWidth),
    (height / rows - gap - besideHeight) / lineHeight,
  );

/** How large figures can be so that none is cut off, side by side or stacked. If there are too many, how many fit. */
export function fitFigures(room: FigureRoom): { shown: number; columns: number; fontSize: number } {
  for (let shown = room.count; ; shown -= 1) {
    const choices = Array.from({ length: Math.max(1, shown) }, (_, at) => {
      const columns = at + 1;
      return { shown, columns, fontSize: fontIn(room, columns, Math.ceil(shown / columns)) };
    });
    const best = choices.reduce((a, b) => (b.fontSize > a.fontSize ? b : a));
    if (best.fontSize >= smallestFont || shown <= 1)
      return { ...best, fontSize: Math.max(1, Math.floor(best.fontSize)) };
  }
}
