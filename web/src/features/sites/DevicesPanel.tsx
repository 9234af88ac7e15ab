import { Button, Checkbox, Skeleton } from '@mantine/core';
import { IconChartLine, IconGauge, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inTreeOrder } from '../../../../shared/device-tree.ts';
import type { Device, SiteWithDevices } from '../../../../shared/sites.ts';
import { keptRange } from '../../lib/kept-range.ts';
import { deviceState, silentAfterMs } from '../../lib/live-state.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkAnchor, LinkButton } from '../../ui/LinkButton.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import { Panel } from '../../ui/Panel.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { DeviceMenu } from './DeviceMenu.tsx';
import { LastReading } from './LastReading.tsx';
import { SeveralDevices } from './SeveralDevices.tsx';
import { DeviceStateChip } from './SiteStateChips.tsx';
import classes from './DevicesPanel.module.css';
import several from './SeveralDevices.module.css';

/** Of each level of a tree of meters. */
const indentRem = 1.25;

interface DevicesPanelProps {
  site: SiteWithDevices;
  /** kW; null where nothing is measured now, undefined while that is loading. */
  powerOf: (device: Device) => number | null | undefined;
  /** Administrators only. */
  onAdd?: () => void;
  onEdit?: (device: Device) => void;
  onDelete?: (device: Device) => void;
}

/** The devices of a site: what each measures, when it last did, and what administrators can do with it. */
export function DevicesPanel({ site, powerOf, onAdd, onEdit, onDelete }: DevicesPanelProps) {
  const t = useTranslations('sites');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const nowMs = useNow(10_000);
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);

  if (site.devices.length === 0) {
    return (
      <Panel>
        <EmptyState
          icon={<IconGauge size={22} stroke={1.75} />}
          title={t('device.emptyTitle')}
          action={
            onAdd !== undefined && (
              <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={onAdd}>
                {t('device.add')}
              </Button>
            )
          }
        >
          {onAdd === undefined ? t('device.emptyUser') : t('device.emptyAdmin')}
        </EmptyState>
      </Panel>
    );
  }

  const tree = inTreeOrder(site.devices, ({ id, parentDeviceId }) => [id, parentDeviceId]);
  const levels = new Map(tree.map(({ device, level }) => [device.id, level]));
  const names = new Map(site.devices.map(({ id, name }) => [id, name]));
  const columns: Column<Device>[] = [
    {
      id: 'name',
      header: t('columns.device'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: (device) =>
        chosen === null ? (
          <DeviceName
            device={device}
            level={levels.get(device.id) ?? 0}
            parent={names.get(device.parentDeviceId ?? '')}
          />
        ) : (
          <span className={several.choice}>
            <Checkbox
              aria-label={t('several.chooseOne', { name: device.name })}
              checked={chosen.has(device.id)}
              onChange={() => setChosen(chosen.symmetricDifference(new Set([device.id])))}
            />
            <DeviceName
              device={device}
              level={levels.get(device.id) ?? 0}
              parent={names.get(device.parentDeviceId ?? '')}
            />
          </span>
        ),
    },
    {
      id: 'state',
      header: t('columns.state'),
      renderCell: (device) => {
        const state = deviceState(device, nowMs);
        const seconds = silentAfterMs(device.expectedIntervalSeconds) / 1000;
        return (
          <span
            title={state === 'silent' ? t('device.silentAfter', { duration: format.duration(seconds) }) : undefined}
          >
            <DeviceStateChip state={state} />
          </span>
        );
      },
    },
    {
      id: 'power',
      header: t('columns.powerNow'),
      align: 'end',
      sortBy: (device) => powerOf(device) ?? null,
      renderCell: (device) => {
        const powerKw = powerOf(device);
        if (powerKw === null) return null;
        if (powerKw === undefined) return <Skeleton height={14} width={64} display="inline-block" />;
        return <span className={`${classes.power} figures`}>{format.power(powerKw)}</span>;
      },
    },
    {
      id: 'last',
      header: t('columns.lastReading'),
      sortBy: ({ lastMeasuredAt }) => instantOf(lastMeasuredAt),
      renderCell: ({ lastMeasuredAt }) =>
        lastMeasuredAt === null ? null : <LastReading at={lastMeasuredAt} timeZone={site.timeZone} />,
    },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (device) => (
        <span className={classes.actions}>
          <LinkButton
            to="/measurements"
            search={{ ...keptRange(), devices: device.id }}
            variant="subtle"
            size="compact-sm"
            aria-label={t('device.readingsOf', { name: device.name })}
            leftSection={<IconChartLine size={16} stroke={1.75} aria-hidden />}
          >
            <span className={classes.linkText}>{t('device.readings')}</span>
          </LinkButton>
          {onEdit !== undefined && onDelete !== undefined && (
            <DeviceMenu device={device} onEdit={onEdit} onDelete={onDelete} />
          )}
        </span>
      ),
    },
  ];
  return (
    <Panel
      flush
      title={t('device.title')}
      actions={
        onEdit !== undefined &&
        site.devices.length > 1 && <SeveralDevices site={site} chosen={chosen} onChoose={setChosen} />
      }
    >
      <ListTable
        label={t('device.title')}
        columns={columns}
        rows={tree.map(({ device }) => device)}
        rowKey={({ id }) => id}
        textOf={({ name, externalId }) => `${name} ${externalId}`}
      />
    </Panel>
  );
}

function DeviceName({ device, level, parent }: { device: Device; level: number; parent: string | undefined }) {
  const t = useTranslations('sites.device');
  const format = useFormat();
  const { expectedIntervalSeconds, ratedPowerKw } = device;
  const facts = [
    parent === undefined ? null : t('partOf', { name: parent }),
    ratedPowerKw === null
      ? null
      : t('rated', { power: `${format.number(ratedPowerKw, Number.isInteger(ratedPowerKw) ? 0 : undefined)}\u00a0kW` }),
    expectedIntervalSeconds === null
      ? null
      : t('every', { duration: format.duration(expectedIntervalSeconds, 'short') }),
  ].filter((fact) => fact !== null);
  return (
    <span className={classes.device} style={{ paddingInlineStart: `${level * indentRem}rem` }}>
      <LinkAnchor
        to="/sites/$siteId/devices/$deviceId"
        params={{ siteId: device.siteId, deviceId: device.id }}
        search={keptRange()}
        className={classes.name}
      >
        {device.name}
      </LinkAnchor>
      <span className={classes.facts}>
        <code className={classes.externalId}>{device.externalId}</code>
        {facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
    </span>
  );
}
