import { useTranslations } from 'use-intl';
import classes from './TimeChart.module.css';

interface ChartLegendProps {
  series: readonly { id: string; name: string }[];
  colorOf: (id: string) => string | undefined;
  hidden: ReadonlySet<string>;
  onHidden: (hidden: ReadonlySet<string>) => void;
}

/** The names of the series with their colors; each hides or shows its series. */
export function ChartLegend({ series, colorOf, hidden, onHidden }: ChartLegendProps) {
  const t = useTranslations('charts');
  const toggle = (id: string) =>
    onHidden(hidden.has(id) ? new Set([...hidden].filter((other) => other !== id)) : new Set([...hidden, id]));
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {series.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            className={classes.entry}
            style={{ ...swatch(colorOf(id)) }}
            aria-pressed={!hidden.has(id)}
            onClick={() => toggle(id)}
          >
            <span className={classes.swatch} aria-hidden />
            <span className={classes.name}>{name}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const swatch = (color = 'transparent'): Record<`--${string}`, string> => ({ '--swatch': color });
