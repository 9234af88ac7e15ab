import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { isPlainDecimal, readDecimal } from '../lib/decimal.ts';
import { useFormat } from '../lib/use-format.ts';
import classes from './NumberField.module.css';

interface NumberFieldProps extends TextInputProps {
  /** As typed; {@link readDecimal} reads it. */
  value: string;
  unit: string;
  /** Space for the unit, in px. */
  unitWidth?: number;
}

/** A field for a number with decimals. If a number is ambiguous, such as `1,234`, the field shows how it reads it. */
export function NumberField({ value, unit, unitWidth = 52, description, ...rest }: NumberFieldProps) {
  const t = useTranslations('common');
  const { decimalSeparator, decimal } = useFormat();
  const number = isPlainDecimal(value, decimalSeparator) ? null : (readDecimal(value, decimalSeparator) ?? null);
  return (
    <TextInput
      {...rest}
      value={value}
      inputMode="decimal"
      autoComplete="off"
      description={
        number === null ? (
          description
        ) : (
          <>
            <strong className="figures">{t('readAs', { value: decimal(number, 10) })}</strong> {description}
          </>
        )
      }
      rightSection={<span className={classes.unit}>{unit}</span>}
      rightSectionWidth={unitWidth}
      rightSectionPointerEvents="none"
    />
  );
}
