/** Runs slow work after the browser has painted, for example a pressed control or a part of a page. */
export function afterPaint(run: () => void): void {
  requestAnimationFrame(() => setTimeout(run));
}
