import { Select, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import { type Device, deviceWrite, energySource } from '../../../../shared/sites.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { deviceLimits } from '../../../../shared/states.rules.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { useFormat } from '../../lib/use-format.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { EndUseField } from './EndUseField.tsx';
import { sameEndUse } from './end-uses.ts';
import { type DeviceValues, parentChoices, toDeviceWrite, useDeviceFields, valuesOf } from './device-values.ts';
import { useSaveDevice } from './queries.ts';
import classes from './Places.module.css';

interface DeviceFormProps {
  /** Null creates a new one. */
  device: Device | null;
  /** The site of a new device. Empty if the user chooses it. */
  siteId: string;
  /** The external ID under which a new device already sends. */
  externalId?: string;
  /** Called with the saved device. */
  onDone: (saved: Device | null) => void;
}

/** Creates or changes a device, or moves it to another site. */
export function DeviceForm({ device, siteId, externalId = '', onDone }: DeviceFormProps) {
  const t = useTranslations('sites.device');
  const format = useFormat();
  const separator = format.decimalSeparator;
  const sites = useQuery(sitesQuery).data ?? [];
  const devices = useQuery(devicesQuery).data ?? [];
  const save = useSaveDevice();
  const headingId = useId();
  const spelledAsOthers = (endUse: string) =>
    sameEndUse(
      endUse,
      devices.filter(({ id }) => id !== device?.id),
    ) ?? endUse;
  const toWrite = (values: DeviceValues) =>
    toDeviceWrite({ ...values, endUse: spelledAsOthers(values.endUse) }, separator);
  const aboveZero = (max = 0) => t('aboveZero', { max: format.integer(max) });
  const { form, text, choice, toggle, dialog } = useRecordForm({
    seen: device,
    initialValues: { ...valuesOf(device, siteId, separator), ...(device === null && { externalId }) },
    schema: deviceWrite,
    toWrite,
    problems: {
      ratedPowerKw: aboveZero,
      registerMaxKwh: aboveZero,
      expectedIntervalSeconds: (max = 0) => t('wholeSeconds', { max: format.integer(max) }),
    },
    labels: useDeviceFields(),
    save: (values, seen) => save.mutateAsync({ seen, values: toWrite(values) }),
    said: (saved) => t(device !== null ? 'saved' : externalId === '' ? 'created' : 'createdSending', saved),
    onSaved: onDone,
    onCancel: () => onDone(null),
    createLabel: t('add'),
  });

  const parents = parentChoices(devices, form.values.siteId, device?.id ?? null);
  const interval = readDecimal(form.values.expectedIntervalSeconds, separator);
  const offlineAfter = format.duration(deviceLimits(interval ?? null).offlineAfterSeconds);

  return (
    <DialogForm {...dialog}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput {...text('name')} data-autofocus description={t('nameHint')} />
        <TextInput
          {...text('externalId')}
          description={t('externalIdHint')}
          spellCheck={false}
          classNames={{ input: classes.code }}
        />
      </SimpleGrid>
      {(device !== null || siteId === '') && sites.length > 1 && (
        <Select
          {...choice('siteId')}
          onChange={(site) => form.setValues({ siteId: site ?? '', parentDeviceId: null })}
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
          {...choice('parentDeviceId')}
          description={t('parentHint')}
          placeholder={t('noParent')}
          data={parents.map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          searchable
          selectFirstOptionOnChange
        />
      )}
      <EndUseField {...text('endUse')} />
      <Switch {...toggle('isActive')} description={t('isActiveHint')} />
      <div role="group" aria-labelledby={headingId} className={classes.group}>
        <h3 id={headingId} className={classes.heading}>
          {t('energyHeading')}
        </h3>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <Select
            {...choice('energySource')}
            description={t('energySourceHint')}
            data={energySource.options.map((value) => ({ value, label: t(`sources.${value}`) }))}
            allowDeselect={false}
          />
          <NumberField
            {...text('expectedIntervalSeconds')}
            unit={t('seconds')}
            description={t('expectedIntervalSecondsHint', { duration: offlineAfter })}
          />
          <NumberField {...text('ratedPowerKw')} unit="kW" description={t('ratedPowerKwHint')} />
          <NumberField {...text('registerMaxKwh')} unit="kWh" description={t('registerMaxKwhHint')} />
        </SimpleGrid>
      </div>
    </DialogForm>
  );
}
