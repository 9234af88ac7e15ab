import { ActionIcon } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { Band } from './bands.ts';
import { BandSwatch } from './BandSwatch.tsx';
import classes from './BandPalette.module.css';

interface BandPaletteProps {
  bands: readonly Band[];
  /** One for each band, in their order. */
  colors: readonly string[];
  brush: string | null;
  onBrush: (key: string | null) => void;
  onAdd: () => void;
}

/** Chooses what the grid is painted with. */
export function BandPalette({ bands, colors, brush, onBrush, onAdd }: BandPaletteProps) {
  const t = useTranslations('rates.bands');
  const tTerms = useTranslations('terms');
  const group = useId();
  return (
    <fieldset className={`${classes.palette} screen-only`}>
      <legend className={classes.legend}>{t('brush')}</legend>
      <div className={classes.choices}>
        {bands.map(({ key, name }, index) => (
          <label key={key} className={classes.choice}>
            <input
              type="radio"
              name={group}
              className="visually-hidden"
              checked={brush === key}
              onChange={() => onBrush(key)}
            />
            <BandSwatch number={index + 1} color={colors[index] ?? 'transparent'} />
            <span className={classes.name}>{name.trim() === '' ? t('unnamed') : name}</span>
          </label>
        ))}
        <label className={classes.choice}>
          <input
            type="radio"
            name={group}
            className="visually-hidden"
            checked={brush === null}
            onChange={() => onBrush(null)}
          />
          <BandSwatch number={0} />
          <span className={classes.name}>{tTerms('defaultRate')}</span>
        </label>
        <ActionIcon variant="default" size={36} className={classes.add} aria-label={t('new')} onClick={onAdd}>
          <IconPlus size={16} stroke={1.75} />
        </ActionIcon>
      </div>
    </fieldset>
  );
}
