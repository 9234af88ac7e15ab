import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Device } from '../../../../shared/sites.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Facts } from '../../ui/Facts.tsx';
import classes from './DevicePage.module.css';

/** How energy of the device is computed and its silence noticed. */
export function DeviceSettings({ device, parentName }: { device: Device; parentName: string | undefined }) {
  const t = useTranslations('sites.device');
  const tTerms = useTranslations('terms');
  const tPage = useTranslations('sites.devicePage');
  const format = useFormat();
  const { externalId, energySource, ratedPowerKw, registerMaxKwh, expectedIntervalSeconds, endUse } = device;
  const quantity = (value: number | null, unit: string) =>
    value === null ? tPage('notSet') : `${format.number(value, Number.isInteger(value) ? 0 : undefined)}\u00a0${unit}`;
  const facts: [string, ReactNode][] = [
    [
      tTerms('externalId'),
      <span key="externalId" className={classes.externalId}>
        {externalId}
      </span>,
    ],
    ...(parentName === undefined ? [] : [[t('parent'), parentName] satisfies [string, string]]),
    [t('endUse'), endUse ?? tPage('notSet')],
    [t('energySource'), t(`sources.${energySource}`)],
    [t('ratedPowerKw'), quantity(ratedPowerKw, 'kW')],
    [t('registerMaxKwh'), quantity(registerMaxKwh, 'kWh')],
    [
      t('expectedIntervalSeconds'),
      expectedIntervalSeconds === null ? tPage('notSet') : format.duration(expectedIntervalSeconds),
    ],
  ];
  return <Facts facts={facts} />;
}
