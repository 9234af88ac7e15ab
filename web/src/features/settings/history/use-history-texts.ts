import { useTranslations } from 'use-intl';
import { quantities } from '../../../../../shared/quantities.ts';
import { type HistoryField, intervalFields, type JudgedHistoryRow } from './history-rows.ts';

/** Fields that are not quantities of a reading; the power of a file may be in W. */
const fieldsOfFiles = ['time', 'clock', 'externalId', 'activePowerKw', ...intervalFields] as const;

/** Names a field of a file. */
export function useHistoryFields() {
  const t = useTranslations('settings.history.fields');
  const tQuantities = useTranslations('measurements.quantities');
  return (field: HistoryField): string => {
    const ofFile = fieldsOfFiles.find((one) => one === field);
    if (ofFile !== undefined) return t(ofFile);
    const quantity = quantities.find(({ name }) => name === field);
    if (quantity === undefined) return field;
    const name = tQuantities(quantity.name);
    return quantity.unit === undefined ? name : `${name} (${quantity.unit})`;
  };
}

/** Explains why a row of a file cannot be sent. */
export function useHistoryReasons() {
  const t = useTranslations('settings.history');
  const nameOf = useHistoryFields();
  return ({ problem, field }: Extract<JudgedHistoryRow, { problem: unknown }>): string =>
    t(`problems.${problem}`, { field: nameOf(field) });
}
