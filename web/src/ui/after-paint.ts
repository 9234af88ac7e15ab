/** Runs what takes long once the browser has shown what is there: that a control was pressed, or a part of a page. */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
