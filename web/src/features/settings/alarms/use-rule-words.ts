import { useTranslations } from 'use-intl';
import { qualityFlagKind } from '../../../../../shared/data-quality.ts';
import { quantities, type QuantityName } from '../../../../../shared/quantities.ts';
import { useAlarmFigure } from '../../../entities/alarm-words.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { type FieldName, fieldsOf, fixedUnitOf, type RuleDraft } from './rule-values.ts';

const isQuantity = (value: string): value is QuantityName => quantities.some(({ name }) => name === value);

/** The names of rules and their fields. */
export function useRuleWords() {
  const t = useTranslations();
  const format = useFormat();
  const { figure } = useAlarmFigure();

  /** A value of a choice. */
  const choice = (value: string): string => {
    if (isQuantity(value)) return t(`measurements.quantities.${value}`);
    if (value === 'hour' || value === 'day') return t(`alarmRules.per.${value}`);
    const flag = qualityFlagKind.safeParse(value).data;
    return flag === undefined ? value : t(`sites.quality.kinds.${flag}`);
  };
  /** The unit in which a field is typed. */
  const unitOf = (name: FieldName, { quantity, currency }: { quantity: string; currency: string }): string => {
    const fixed = fixedUnitOf(name);
    if (fixed !== undefined) return fixed;
    if (name === 'amount') return currency.trim().toUpperCase();
    return quantities.find((one) => one.name === quantity)?.unit ?? '';
  };

  const shownIn = (unit: string, value: number): string => {
    if (unit === 'min') return figure(value, 's');
    if (unit === 'h') return figure(value * 3600, 's');
    return unit === '×' ? `${unit}\u00A0${format.decimal(value, 6)}` : figure(value, unit);
  };

  /** The condition of a rule: "Active power · Above 12 kW". */
  const summary = ({ kind, condition, durationSeconds }: RuleDraft): string => {
    const values = new Map<string, unknown>(Object.entries(condition));
    const textOf = (name: string) => String(values.get(name) ?? '');
    const parts = fieldsOf(kind).flatMap(({ name, type }) => {
      const value = values.get(name);
      if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
        return [];
      if (name === 'hysteresis' && value === 0) return [];
      if (Array.isArray(value)) return [format.list(value.map((one) => choice(String(one))))];
      if (type !== 'number') return name === 'currency' ? [] : [choice(String(value))];
      const unit = unitOf(name, { quantity: textOf('quantity'), currency: textOf('currency') });
      return [`${t(`alarmRules.fields.${name}`)} ${shownIn(unit, Number(value))}`];
    });
    if (durationSeconds > 0) parts.push(t('alarmRules.lasting', { duration: figure(durationSeconds, 's') }));
    return parts.join(' · ');
  };
  return { choice, unitOf, summary };
}
