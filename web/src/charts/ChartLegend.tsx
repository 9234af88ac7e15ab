import { UnstyledButton } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { ChartReference } from './references.ts';
import classes from './TimeChart.module.css';

interface ChartLegendProps {
  series: readonly { id: string; name: string; isBehind?: true }[];
  colorOf: (id: string) => string | undefined;
  hidden: ReadonlySet<string>;
  onHidden: (hidden: ReadonlySet<string>) => void;
  references?: readonly ChartReference[];
  onReference?: ((id: string, isShown: boolean) => void) | undefined;
}

const noReferences: readonly ChartReference[] = [];

/** The names of the series with their colors; each hides or shows its series. */
export function ChartLegend({
  series,
  colorOf,
  hidden,
  onHidden,
  references = noReferences,
  onReference,
}: ChartLegendProps) {
  const t = useTranslations('charts');
  const toggle = (id: string) =>
    onHidden(hidden.has(id) ? new Set([...hidden].filter((other) => other !== id)) : new Set([...hidden, id]));
  return (
    <ul className={classes.legend} aria-label={t('legend')}>
      {series.map(({ id, name, isBehind }) => (
        <Entry
          key={id}
          name={name}
          color={colorOf(id)}
          isBehind={isBehind}
          isShown={!hidden.has(id)}
          onClick={() => toggle(id)}
        />
      ))}
      {references.map(
        ({ id, name, isShown, isAbsent = false }, position) =>
          !isAbsent && (
            <Entry key={id} line={position} name={name} isShown={isShown} onClick={() => onReference?.(id, !isShown)} />
          ),
      )}
    </ul>
  );
}

interface EntryProps {
  name: string;
  color?: string | undefined;
  /** Whether the line of the series is dashed. */
  isBehind?: boolean | undefined;
  isShown: boolean;
  /** A thin line in the color of the text, with the dashes that belong to its position. */
  line?: number;
  onClick: () => void;
}

function Entry({ name, color, isBehind, isShown, line, onClick }: EntryProps) {
  return (
    <li>
      <UnstyledButton
        className={classes.entry}
        style={color === undefined ? {} : { ...swatch(color) }}
        data-line={line}
        data-dashed={isBehind}
        aria-pressed={isShown}
        onClick={onClick}
      >
        <span className={classes.swatch} aria-hidden />
        <span className="one-line">{name}</span>
      </UnstyledButton>
    </li>
  );
}

const swatch = (color: string): Record<`--${string}`, string> => ({ '--swatch': color });
