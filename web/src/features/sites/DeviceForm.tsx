import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { energySource, type Device } from '../../../../shared/sites.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { TheirsKept } from '../../lib/edit-conflict.ts';
import { silentAfterMs } from '../../lib/live-state.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { useFormat } from '../../lib/use-format.ts';
import { DialogForm, useFormRefusal } from '../../ui/DialogForm.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { EndUseField } from './EndUseField.tsx';
import { sameEndUse } from './end-uses.ts';
import { isAboveZero, isWholeSeconds, limits, toDeviceWrite, valuesOf, parentChoices } from './device-values.ts';
import { useSaveDevice } from './queries.ts';
import classes from './Places.module.css';

interface DeviceFormProps {
  /** Null creates a new one. */
  device: Device | null;
  /** Where a new one is created; empty where that is to be chosen. */
  siteId: string;
  /** Under which a new one sends already. */
  externalId?: string;
  /** With what was saved. */
  onDone: (saved: Device | null) => void;
}

/** Creates or changes a device, or moves it to another site. */
export function DeviceForm({ device, siteId, externalId = '', onDone }: DeviceFormProps) {
  const t = useTranslations('sites.device');
  const tAll = useTranslations();
  const format = useFormat();
  const separator = format.decimalSeparator;
  const sites = useQuery(sitesQuery).data ?? [];
  const devices = useQuery(devicesQuery).data ?? [];
  const save = useSaveDevice();
  const headingId = useId();
  // As the form began: what the page learns meanwhile is not what was changed here.
  const [seen] = useState(device);

  const required = (value: string) => (value.trim() === '' ? tAll('errors.required') : null);
  const form = useForm({
    initialValues: { ...valuesOf(device, siteId, separator), ...(device === null && { externalId }) },
    validate: {
      name: required,
      externalId: required,
      siteId: required,
      ratedPowerKw: (entry) => aboveZero(isAboveZero(entry, limits.ratedPowerKw, separator), limits.ratedPowerKw),
      registerMaxKwh: (entry) => aboveZero(isAboveZero(entry, limits.registerMaxKwh, separator), limits.registerMaxKwh),
      expectedIntervalSeconds: (entry) =>
        isWholeSeconds(entry, separator)
          ? null
          : t('wholeSeconds', { max: format.integer(limits.expectedIntervalSeconds) }),
    },
  });
  const aboveZero = (isRight: boolean, max: number) => (isRight ? null : t('aboveZero', { max: format.integer(max) }));
  const refusal = useFormRefusal(form, [
    'name',
    'externalId',
    'siteId',
    'energySource',
    'ratedPowerKw',
    'registerMaxKwh',
    'expectedIntervalSeconds',
    'parentDeviceId',
    'endUse',
  ]);

  const spelledAsOthers = (endUse: string) =>
    sameEndUse(
      endUse,
      devices.filter(({ id }) => id !== device?.id),
    ) ?? endUse;
  const submit = refusal.onSubmit((values) =>
    save.mutate(
      { seen, values: toDeviceWrite({ ...values, endUse: spelledAsOthers(values.endUse) }, separator) },
      {
        onSuccess: (saved) => {
          const said = device !== null ? 'saved' : externalId === '' ? 'created' : 'createdSending';
          notifications.show({ color: 'green', message: t(said, saved) });
          onDone(saved);
        },
        onError: (error) => (error instanceof TheirsKept ? onDone(null) : refusal.show(error)),
      },
    ),
  );

  const parents = parentChoices(devices, form.values.siteId, device?.id ?? null);
  const interval = readDecimal(form.values.expectedIntervalSeconds, separator);
  const silentAfter = format.duration(silentAfterMs(interval ?? null) / 1000);

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={device === null ? t('add') : tAll('common.saveChanges')}
      isPending={save.isPending}
      onCancel={() => onDone(null)}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput
          {...form.getInputProps('name')}
          data-autofocus
          label={tAll('common.name')}
          description={t('nameHint')}
          maxLength={200}
          autoComplete="off"
        />
        <TextInput
          {...form.getInputProps('externalId')}
          label={tAll('terms.externalId')}
          description={t('externalIdHint')}
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: classes.code }}
        />
      </SimpleGrid>
      {(device !== null || siteId === '') && sites.length > 1 && (
        <Select
          {...form.getInputProps('siteId')}
          onChange={(site) => form.setValues({ siteId: site ?? '', parentDeviceId: null })}
          label={tAll('terms.site')}
          description={device === null ? undefined : t('siteHint')}
          placeholder={t('chooseSite')}
          data={sites.map(({ id, name }) => ({ value: id, label: name }))}
          allowDeselect={false}
          searchable
          selectFirstOptionOnChange
        />
      )}
      {parents.length > 0 && (
        <Select
          {...form.getInputProps('parentDeviceId')}
          label={t('parent')}
          description={t('parentHint')}
          placeholder={t('noParent')}
          data={parents.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          searchable
          selectFirstOptionOnChange
        />
      )}
      <EndUseField {...form.getInputProps('endUse')} />
      <Switch
        {...form.getInputProps('isActive', { type: 'checkbox' })}
        label={tAll('terms.active')}
        description={t('isActiveHint')}
      />
      <div role="group" aria-labelledby={headingId} className={classes.group}>
        <h3 id={headingId} className={classes.heading}>
          {t('energyHeading')}
        </h3>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <Select
            {...form.getInputProps('energySource')}
            label={t('energySource')}
            description={t('energySourceHint')}
            data={energySource.options.map((value) => ({ value, label: t(`sources.${value}`) }))}
            allowDeselect={false}
          />
          <NumberField
            {...form.getInputProps('expectedIntervalSeconds')}
            value={form.values.expectedIntervalSeconds}
            unit={t('seconds')}
            label={t('expectedIntervalSeconds')}
            description={t('expectedIntervalSecondsHint', { duration: silentAfter })}
          />
          <NumberField
            {...form.getInputProps('ratedPowerKw')}
            value={form.values.ratedPowerKw}
            unit="kW"
            label={t('ratedPowerKw')}
            description={t('ratedPowerKwHint')}
          />
          <NumberField
            {...form.getInputProps('registerMaxKwh')}
            value={form.values.registerMaxKwh}
            unit="kWh"
            label={t('registerMaxKwh')}
            description={t('registerMaxKwhHint')}
          />
        </SimpleGrid>
      </div>
    </DialogForm>
  );
}
