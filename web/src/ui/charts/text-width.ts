/** px; the size of all labels in charts. */
export const labelSize = 11;

let measuring: CanvasRenderingContext2D | null = null;

/** How wide a label is in the typeface of the page, px. */
export function textWidth(text: string, { size = labelSize, isStrong = false } = {}): number {
  measuring ??= document.createElement('canvas').getContext('2d');
  if (measuring === null) return text.length * size * 0.6;
  measuring.font = `${isStrong ? 600 : 400} ${size}px ${getComputedStyle(document.body).fontFamily}`;
  return measuring.measureText(text).width;
}

/** The text with as much of it as fits, px, and an ellipsis where it is cut. */
export function cutText(text: string, maxPx: number, size: number): string {
  if (textWidth(text, { size }) <= maxPx) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join('')}…`, { size }) > maxPx) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}
