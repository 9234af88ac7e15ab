import { TextInput, type TextInputProps } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '../../../lib/use-format.ts';
import { longHex, contrastFindings } from './branding-values.ts';
import classes from './Branding.module.css';

interface ColorFieldProps extends Omit<TextInputProps, 'label' | 'onChange'> {
  label: string | undefined;
  value: string;
  /** The effective color: the value, or its fallback. */
  shown: string;
  onChange: (value: string) => void;
}

/** A hex color, typed or picked. A warning appears if text in this color would be hard to read. */
export function ColorField({ label, value, shown, onChange, ...field }: ColorFieldProps) {
  const t = useTranslations('settings.branding');
  const notesId = useId();
  return (
    <div>
      <TextInput
        {...field}
        label={label}
        value={value}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={notesId}
        classNames={{ input: classes.code }}
        leftSectionWidth={44}
        leftSection={
          <input
            type="color"
            className={classes.swatch}
            aria-label={t('pick', { label: label ?? '' })}
            value={longHex(shown).toLowerCase()}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        }
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <ul id={notesId} className={classes.notes}>
        <ContrastNotes color={shown} />
      </ul>
    </div>
  );
}

function ContrastNotes({ color }: { color: string }) {
  const t = useTranslations('settings.branding.contrast');
  const format = useFormat();
  const findings = contrastFindings(color);
  const warnings = findings.filter(({ place }) => place !== 'dark');
  return (
    <>
      {warnings.length === 0 && (
        <li className={classes.note}>
          <IconCheck size={15} stroke={1.75} className={classes.fine} aria-hidden />
          <span>{t('fine')}</span>
        </li>
      )}
      {findings.map(({ place, ratio, shown }) => (
        <li key={place} className={classes.note}>
          {place === 'dark' ? (
            <span className={classes.sample} style={{ background: shown }} aria-hidden />
          ) : (
            <IconAlertTriangle size={15} stroke={1.75} className={classes.warning} aria-hidden />
          )}
          <span>{t(place, { ratio: format.number(ratio, 1), shown })}</span>
        </li>
      ))}
    </>
  );
}
