/** Runs what takes long once the browser has shown that a control was pressed. */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
