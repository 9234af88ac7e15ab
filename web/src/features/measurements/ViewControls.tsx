import { Select } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { fixedSearchOf } from '../../lib/time-range.ts';
import { autoBucket, type ChartBucket } from '../../../../shared/charts/buckets.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import type { ResolvedTimeRange } from '../../ui/time-range/use-time-range.ts';
import type { ChosenDevices } from '../../lib/chosen-devices.ts';
import { DevicePicker } from '../../entities/DevicePicker.tsx';
import { autoEnergyBucket, possibleEnergyBuckets } from './series-data.ts';
import classes from './Measurements.module.css';
import { maxPoints } from './queries.ts';
import {
  buckets,
  chartedQuantities,
  defaultQuantity,
  isEnergy,
  type ChartedQuantity,
  type MeasurementsSearch,
} from './search.ts';

interface ViewControlsProps {
  /** The field to choose a customer, if there is one. */
  owner: ReactNode;
  /** Shown beside the button that copies a link. */
  children: ReactNode;
  search: MeasurementsSearch;
  range: ResolvedTimeRange;
  timeZone: string;
  devices: readonly DeviceWithSite[];
  chosen: ChosenDevices;
  /** Called with the changed parameters. An undefined one gets its default. */
  onChange: (change: {
    devices?: string;
    quantity?: ChartedQuantity | undefined;
    bucket?: ChartBucket | undefined;
  }) => void;
}

const automatic = 'auto';

/** Chooses quantity, devices and buckets, and copies a link to exactly this view. */
export function ViewControls(props: ViewControlsProps) {
  const { owner, children, search, range, timeZone, devices, chosen, onChange } = props;
  const t = useTranslations('measurements');
  const tCommon = useTranslations('common');
  const tBucket = useTranslations('charts.bucket');
  const router = useRouter();

  const quantity = search.quantity ?? defaultQuantity;
  const isBars = isEnergy(quantity);
  const offered: readonly ChartBucket[] = isBars ? possibleEnergyBuckets(range) : buckets;
  const automaticBucket = isBars ? autoEnergyBucket(range) : autoBucket(range, maxPoints);

  // A preset would mean another range tomorrow. A time zone that comes from the reader's browser would be another one
  // elsewhere.
  const { range: _preset, ...view } = search;
  const link = router.buildLocation({
    to: '/measurements',
    search: {
      ...view,
      devices: chosen.isAll ? 'all' : chosen.devices.map(({ id }) => id).join(','),
      ...fixedSearchOf(range, timeZone),
      tz: timeZone,
    },
  });

  return (
    <div className={`${classes.controls} screen-only`} data-owner={owner !== null}>
      {owner}
      <DevicePicker devices={devices} chosen={chosen} onChange={(ids) => onChange({ devices: ids })} />
      <Select
        label={t('quantity')}
        data={chartedQuantities.map((value) => ({ value, label: t(`quantities.${value}`) }))}
        value={quantity}
        allowDeselect={false}
        checkIconPosition="right"
        onChange={(value) => onChange({ quantity: chartedQuantities.find((one) => one === value) })}
      />
      <Select
        label={isBars ? t('energyBucket') : t('bucket')}
        data={[
          { value: automatic, label: t('automatic', { bucket: tBucket(automaticBucket) }) },
          ...offered.map((value) => ({ value, label: tBucket(value) })),
        ]}
        value={offered.find((one) => one === search.bucket) ?? automatic}
        allowDeselect={false}
        checkIconPosition="right"
        onChange={(value) => onChange({ bucket: offered.find((one) => one === value) })}
      />
      <div className={classes.copy}>
        <CopyButton
          text={new URL(link.href, window.location.origin).href}
          label={tCommon('copyLinkLong')}
          caption={tCommon('copyLink')}
        />
        {children}
      </div>
    </div>
  );
}
