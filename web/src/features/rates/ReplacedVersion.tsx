import { Switch } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Tariff } from '../../../../shared/rates.ts';
import { useFormat } from '../../lib/use-format.ts';
import { addDays, utcMs } from './local-dates.ts';
import classes from './TariffPages.module.css';

interface ReplacedVersionProps {
  tariff: Tariff;
  firstDay: string;
  isEnded: boolean;
  onChange: (isEnded: boolean) => void;
}

/** Asks whether the version before ends the day before the new one begins. */
export function ReplacedVersion({ tariff, firstDay, isEnded, onChange }: ReplacedVersionProps) {
  const t = useTranslations('rates.form');
  const format = useFormat();
  return (
    <Switch
      mt="md"
      className={classes.replaced}
      checked={isEnded}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={t('endEarlier', { name: tariff.name, day: format.date(utcMs(addDays(firstDay, -1)), 'UTC') })}
      description={t(isEnded ? 'endEarlierHint' : 'keepEarlierHint')}
    />
  );
}
