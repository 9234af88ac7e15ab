import { useTranslations } from 'use-intl';
import type { Device } from '../../../../shared/sites.ts';
import { useFormat } from '../../lib/use-format.ts';
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
  const facts: [string, string][] = [
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
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{tTerms('externalId')}</dt>
        <dd className={classes.externalId}>{externalId}</dd>
      </div>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="figures">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
