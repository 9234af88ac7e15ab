import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { Device } from '../../../../shared/sites.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
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
  const errorText = useErrorText();
  const save = useSaveDevice();
  const SwitchIcon = device.isActive ? IconPlayerPause : IconPlayerPlay;

  const switchOver = () => {
    const { id: _id, lastMeasuredAt: _, ...values } = device;
    save.mutate(
      { seen: device, values: { ...values, isActive: !device.isActive } },
      {
        onSuccess: ({ name, isActive }) =>
          notifications.show({
            color: 'green',
            message: isActive ? t('device.switchedOn', { name }) : tTerms('switchedOff', { name }),
          }),
        onError: (error) =>
          notifications.show({ color: 'red', message: t('device.switchFailed', { reason: errorText(error) }) }),
      },
    );
  };

  return (
    <RowMenu label={tTerms('actionsFor', { name: device.name })}>
      <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(device)}>
        {tCommon('edit')}
      </Menu.Item>
      <Menu.Item leftSection={<SwitchIcon size={16} stroke={1.75} />} disabled={save.isPending} onClick={switchOver}>
        {tTerms(device.isActive ? 'switchOff' : 'switchOn')}
      </Menu.Item>
      <DeleteItem onClick={() => onDelete(device)}>{tCommon('delete')}</DeleteItem>
    </RowMenu>
  );
}
