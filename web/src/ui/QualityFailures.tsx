import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { DataQuality } from '../../../shared/data-quality.ts';
import { useFormat } from '../lib/use-format.ts';

interface QualityFailuresProps {
  devices: DataQuality['devices'];
  timeZone: string;
}

/** Says of which devices the energy cannot be computed at the moment; nothing where there is none. */
export function QualityFailures({ devices, timeZone }: QualityFailuresProps) {
  const t = useTranslations('quality');
  const format = useFormat();
  const failing = devices.flatMap(({ deviceId, deviceName, failure }) =>
    failure === null ? [] : [{ deviceId, deviceName, failure }],
  );
  if (failing.length === 0) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="status" mb="md">
      {failing.map(({ deviceId, deviceName, failure }) => (
        <p key={deviceId}>
          {t('failure', {
            device: deviceName,
            since: format.dateTime(failure.since, timeZone),
            next: format.dateTime(failure.nextAttemptAt, timeZone),
          })}
        </p>
      ))}
    </Alert>
  );
}
