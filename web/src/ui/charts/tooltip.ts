import classes from './tooltip.module.css';

export interface TooltipRow {
  /** Absent for a row that is not a series. */
  color?: string;
  name: string;
  value: string;
  isStrong?: boolean;
  /** The value was not measured but lies between two that were. */
  isEstimate?: boolean;
}

/** The tooltip as elements, never as HTML text: names of devices are anything their owners typed. */
export function tooltipElement(title: string, rows: readonly TooltipRow[]): HTMLElement {
  const root = element('div', classes.tooltip);
  root.append(element('p', classes.title, title));
  const list = element('dl', classes.rows);
  for (const { color, name, value, isStrong = false } of rows) {
    const row = element('div', isStrong ? `${classes.row} ${classes.strong}` : classes.row);
    const swatch = element('span', classes.swatch);
    if (color !== undefined) swatch.style.background = color;
    row.append(swatch, element('dt', classes.name, name), element('dd', classes.value, value));
    list.append(row);
  }
  root.append(list);
  return root;
}

function element(tag: string, className: string | undefined, text?: string): HTMLElement {
  const made = document.createElement(tag);
  if (className !== undefined) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}
