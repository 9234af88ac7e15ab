import { Menu } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { Device } from '../../../../shared/sites.ts';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { useSwitch } from '../../ui/use-record-form.ts';
import { useSaveDevice } from './queries.ts';

interface DeviceMenuProps {
  device: Device;
  onEdit: (device: Device) => void;
  onDelete: (device: Device) => void;
}

/** The actions that administrators have for a device. */
export function DeviceMenu({ device, onEdit, onDelete }: DeviceMenuProps) {
  const t = useTranslations('sites');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const save = useSaveDevice();
  const SwitchIcon = device.isActive ? IconPlayerPause : IconPlayerPlay;
  const switchOver = useSwitch(save, ({ name, isActive }) =>
    isActive ? t('device.switchedOn', { name }) : tTerms('switchedOff', { name }),
  );
  const { id: _id, lastMeasuredAt: _, ...values } = device;

  return (
    <RowMenu label={tTerms('actionsFor', { name: device.name })}>
      <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(device)}>
        {tCommon('edit')}
      </Menu.Item>
      <Menu.Item
        leftSection={<SwitchIcon size={16} stroke={1.75} />}
        disabled={save.isPending}
        onClick={() => switchOver(device, values)}
      >
        {tTerms(device.isActive ? 'switchOff' : 'switchOn')}
      </Menu.Item>
      <DeleteItem onClick={() => onDelete(device)}>{tCommon('delete')}</DeleteItem>
    </RowMenu>
  );
}
