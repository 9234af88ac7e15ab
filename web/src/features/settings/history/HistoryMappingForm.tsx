import { Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { devicesQuery } from '../../../lib/devices.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { TimeZoneSelect } from '../../../ui/TimeZoneSelect.tsx';
import { intervalLengths, intervalStamps } from './history-intervals.ts';
import { hasIntervals, historyFields, type HistoryMapping, withColumn } from './history-rows.ts';
import { useHistoryFields } from './use-history-texts.ts';
import section from '../section.module.css';

interface HistoryMappingFormProps {
  headings: readonly string[];
  mapping: HistoryMapping;
  isDisabled: boolean;
  onChange: (mapping: HistoryMapping) => void;
}

/** The field of each column, and the format of times and numbers. */
export function HistoryMappingForm({ headings, mapping, isDisabled, onChange }: HistoryMappingFormProps) {
  const t = useTranslations('settings.history');
  const nameOf = useHistoryFields();
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const devices = useQuery(devicesQuery).data ?? [];
  const headingId = useId();
  const { columns } = mapping;
  const isOfIntervals = hasIntervals(mapping);
  const options = headings.map((heading, at) => ({
    value: String(at),
    label: heading === '' ? t('unnamed', { number: at + 1 }) : heading,
  }));
  const set = (change: Partial<HistoryMapping>) => onChange({ ...mapping, ...change });
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId} className={section.subheading}>
        {t('columns')}
      </h3>
      <p className={section.dimmed}>{t('columnsHint')}</p>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="md">
        {historyFields.map((field) => (
          <Select
            key={field}
            label={nameOf(field)}
            placeholder={t('noColumn')}
            data={options}
            value={columns[field] === undefined ? null : String(columns[field])}
            clearable
            disabled={isDisabled}
            onChange={(value) => set({ columns: withColumn(columns, field, value === null ? null : Number(value)) })}
          />
        ))}
        {columns.externalId === undefined && (
          <Select
            label={t('device')}
            description={t('deviceHint')}
            data={devices.map(({ name, externalId, siteName }) => ({
              value: externalId,
              label: format.labelled(siteName, `${name} (${externalId})`),
            }))}
            value={mapping.externalId === '' ? null : mapping.externalId}
            nothingFoundMessage={tTerms('noSuchDevice')}
            searchable
            selectFirstOptionOnChange
            disabled={isDisabled}
            onChange={(externalId) => set({ externalId: externalId ?? '' })}
          />
        )}
        <TimeZoneSelect
          label={t('timeZone')}
          description={t('timeZoneHint')}
          value={mapping.timeZone}
          disabled={isDisabled}
          onChange={(timeZone) => set({ timeZone })}
        />
        <Select
          label={t('dateOrder')}
          data={(['dmy', 'mdy'] as const).map((value) => ({ value, label: t(`dateOrders.${value}`) }))}
          value={mapping.dateOrder}
          allowDeselect={false}
          disabled={isDisabled}
          onChange={(value) => set({ dateOrder: value === 'mdy' ? 'mdy' : 'dmy' })}
        />
        <Select
          label={t('decimals')}
          data={[
            { value: ',', label: t('decimalSeparators.comma') },
            { value: '.', label: t('decimalSeparators.point') },
          ]}
          value={mapping.decimalSeparator}
          allowDeselect={false}
          disabled={isDisabled}
          onChange={(value) => set({ decimalSeparator: value === ',' ? ',' : '.' })}
        />
        {isOfIntervals && (
          <>
            <Select
              label={t('interval')}
              data={intervalLengths.map((minutes) => ({
                value: String(minutes),
                label: format.duration(minutes * 60),
              }))}
              value={String(mapping.intervalMinutes)}
              allowDeselect={false}
              disabled={isDisabled}
              onChange={(value) => {
                const intervalMinutes = intervalLengths.find((minutes) => String(minutes) === value);
                if (intervalMinutes !== undefined) set({ intervalMinutes });
              }}
            />
            <Select
              label={t('stamp')}
              data={intervalStamps.map((value) => ({ value, label: t(`stamps.${value}`) }))}
              value={mapping.intervalStamp}
              allowDeselect={false}
              disabled={isDisabled}
              onChange={(value) => set({ intervalStamp: value === 'end' ? 'end' : 'start' })}
            />
          </>
        )}
        <Select
          label={t(isOfIntervals ? 'energyUnit' : 'unit')}
          data={[
            { value: '1', label: isOfIntervals ? 'kWh' : 'kW' },
            { value: '1000', label: isOfIntervals ? 'Wh' : 'W' },
          ]}
          value={String(mapping.powerPerKw)}
          allowDeselect={false}
          disabled={isDisabled}
          onChange={(value) => set({ powerPerKw: value === '1000' ? 1000 : 1 })}
        />
      </SimpleGrid>
    </section>
  );
}
