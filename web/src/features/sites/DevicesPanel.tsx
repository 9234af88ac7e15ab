import { Button } from '@mantine/core';
import { IconGauge, IconPlus } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { Device, SiteWithDevices } from '../../../../shared/sites.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { DeviceList } from './DeviceList.tsx';
import { DeviceMenu } from './DeviceMenu.tsx';

interface DevicesPanelProps {
  site: SiteWithDevices;
  /** kW; null where nothing is measured now, undefined while that is loading. */
  powerOf: (device: Device) => number | null | undefined;
  /** Administrators only. */
  onAdd?: () => void;
  onEdit?: (device: Device) => void;
  onDelete?: (device: Device) => void;
}

/** The devices of a site, and what administrators can do with them. */
export function DevicesPanel({ site, powerOf, onAdd, onEdit, onDelete }: DevicesPanelProps) {
  const t = useTranslations('sites.device');
  const tTerms = useTranslations('terms');
  const isEmpty = site.devices.length === 0;
  const wasEmpty = useRef(isEmpty);
  const addButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The last device was moved away, and took with it the button that asked.
    if (isEmpty && !wasEmpty.current) addButton.current?.focus();
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  if (isEmpty) {
    return (
      <Panel>
        <EmptyState
          icon={<IconGauge size={22} stroke={1.75} />}
          title={tTerms('noDevices')}
          action={
            onAdd !== undefined && (
              <Button ref={addButton} leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={onAdd}>
                {t('add')}
              </Button>
            )
          }
        >
          {onAdd === undefined ? t('emptyUser') : t('emptyAdmin')}
        </EmptyState>
      </Panel>
    );
  }
  return (
    <DeviceList
      devices={site.devices}
      powerOf={powerOf}
      timeZoneOf={() => site.timeZone}
      canChange={onEdit !== undefined}
      renderActions={(device) =>
        onEdit !== undefined &&
        onDelete !== undefined && <DeviceMenu device={device} onEdit={onEdit} onDelete={onDelete} />
      }
    />
  );
}
