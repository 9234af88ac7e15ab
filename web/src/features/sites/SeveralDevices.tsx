import { Alert, Button, Checkbox, Menu, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { deviceWrite, type DevicesChange, energySource, maxChangedDevices } from '../../../../shared/sites.ts';
import { readDecimal, typedNumber } from '../../lib/decimal.ts';
import { deviceNames } from '../../lib/device-choice.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { deviceLimits } from '../../../../shared/states.rules.ts';
import { maxValueOf } from '../../lib/records.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogForm, useDialog } from '../../ui/DialogForm.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { EndUseField } from './EndUseField.tsx';
import { sameEndUse } from './end-uses.ts';
import { othersOfTrees } from './device-values.ts';
import { useChangeDevices } from './queries.ts';
import classes from './DeviceList.module.css';

const settings = ['endUse', 'energySource', 'expectedIntervalSeconds', 'ratedPowerKw', 'registerMaxKwh'] as const;
type Setting = (typeof settings)[number];
type What = 'off' | 'on' | 'move' | Setting;

interface WithId {
  id: string;
}

interface SeveralDevicesProps {
  devices: readonly WithId[];
  /** The devices that match the search. All of them can be selected at once. */
  found: readonly WithId[];
  /** The ids of the selected devices. */
  chosen: ReadonlySet<string>;
  /** Called with the new selection. Null ends the selection, as a change of devices does. */
  onChoose: (chosen: ReadonlySet<string> | null) => void;
}

/** The actions for all selected devices at once. */
export function SeveralDevices({ devices, found, chosen, onChoose }: SeveralDevicesProps) {
  const t = useTranslations('sites.several');
  const tDevice = useTranslations('sites.device');
  const { integer } = useFormat();
  const allId = useId();
  const doing = useDialog<What>();
  const own = devices.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const foundIds = new Set(found.map(({ id }) => id));
  const isAll = foundIds.size > 0 && foundIds.isSubsetOf(chosen);
  const reason =
    own.length === 0
      ? t('noneChosen')
      : own.length > maxChangedDevices
        ? t('tooMany', { max: integer(maxChangedDevices) })
        : null;
  const titleOf = (what: What) =>
    what === 'off' || what === 'on' || what === 'move'
      ? t(`${what}Title`, { count: own.length })
      : t('settingTitle', { setting: tDevice(what), count: own.length });
  return (
    <div className={`${classes.bar} screen-only`}>
      <label className={classes.all} htmlFor={allId}>
        <Checkbox
          id={allId}
          checked={isAll}
          disabled={foundIds.size === 0}
          indeterminate={!isAll && !foundIds.isDisjointFrom(chosen)}
          onChange={() => onChoose(isAll ? chosen.difference(foundIds) : chosen.union(foundIds))}
        />
        {foundIds.size === devices.length ? t('all') : t('allFound', { count: foundIds.size })}
      </label>
      <span role="status" className={classes.count}>
        {t('chosen', { count: own.length })}
      </span>
      {(['off', 'on', 'move'] as const).map((what) => (
        <ReasonedButton key={what} variant="default" size="compact-sm" reason={reason} onClick={() => doing.open(what)}>
          {t(what)}
        </ReasonedButton>
      ))}
      {reason === null ? (
        <Menu position="bottom-start" width="max-content" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <Button variant="default" size="compact-sm">
              {t('settings')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {settings.map((what) => (
              <Menu.Item key={what} onClick={() => doing.open(what)}>
                {tDevice(what)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <ReasonedButton variant="default" size="compact-sm" reason={reason}>
          {t('settings')}
        </ReasonedButton>
      )}
      {doing.subject !== null && (
        <Dialog opened={doing.isOpen} onClose={doing.close} title={titleOf(doing.subject)}>
          <ChangeForm
            key={doing.subject}
            what={doing.subject}
            deviceIds={own}
            onChoose={onChoose}
            onDone={() => {
              doing.close();
              onChoose(null);
            }}
            onCancel={doing.close}
          />
        </Dialog>
      )}
    </div>
  );
}

interface ChangeFormProps {
  what: What;
  deviceIds: readonly string[];
  onChoose: (chosen: ReadonlySet<string>) => void;
  onDone: () => void;
  onCancel: () => void;
}

/** At most this many devices are listed by name. */
const maxNames = 50;

function ChangeForm({ what, deviceIds, onChoose, onDone, onCancel }: ChangeFormProps) {
  const t = useTranslations('sites.several');
  const tTerms = useTranslations('terms');
  const tDevice = useTranslations('sites.device');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  const { decimalSeparator } = useFormat();
  const devices = useQuery(devicesQuery).data ?? [];
  const sites = useQuery(sitesQuery).data ?? [];
  // The value to set, as typed or chosen.
  const [entry, setEntry] = useState(what === 'energySource' ? 'auto' : '');
  const change = useChangeDevices();
  const ids = new Set(deviceIds);
  const own = devices.filter(({ id }) => ids.has(id));
  const namesOf = (list: typeof devices) => {
    const names = [...deviceNames(list).values()];
    const more = names.length - maxNames;
    return `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` ${t('more', { count: more })}` : ''}`;
  };
  const torn =
    what === 'move'
      ? othersOfTrees(devices, new Set(own.filter((one) => one.siteId !== entry).map(({ id }) => id)))
      : [];
  const others = devices.filter(({ id }) => !ids.has(id));
  const values = readChange(what, (what === 'endUse' && sameEndUse(entry, others)) || entry, decimalSeparator);
  const isReady = values !== null && torn.length === 0;
  const submit = () => {
    if (values === null) return;
    // Not a callback of the mutation, because this form disappears when the last device has left the site.
    change.mutateAsync({ ...values, deviceIds: [...deviceIds] }).then(
      ({ changed }) => {
        notifications.show({ color: 'green', message: t('changed', { count: changed }) });
        onDone();
      },
      () => undefined,
    );
  };
  return (
    <DialogForm
      onSubmit={submit}
      refusal={change.error === null ? null : errorText(change.error)}
      submitLabel={
        what === 'off' || what === 'on' || what === 'move'
          ? t(what)
          : entry.trim() === ''
            ? t('clear')
            : tCommon('saveChanges')
      }
      isPending={change.isPending}
      isDisabled={!isReady}
      onCancel={onCancel}
    >
      {what !== 'endUse' && (
        <p className={classes.text}>
          {t(what === 'off' || what === 'on' || what === 'move' ? `${what}Text` : 'settingText')}
        </p>
      )}
      <p className={classes.names}>{namesOf(own)}</p>
      {what === 'move' && (
        <Select
          data-autofocus
          label={tTerms('site')}
          placeholder={tDevice('chooseSite')}
          data={sites
            .filter(({ id }) => own.some(({ siteId }) => siteId !== id))
            .map(({ id, name }) => ({ value: id, label: name }))}
          value={entry === '' ? null : entry}
          onChange={(siteId) => setEntry(siteId ?? '')}
          searchable
          selectFirstOptionOnChange
        />
      )}
      {what === 'endUse' && <EndUseField data-autofocus value={entry} onChange={setEntry} />}
      {what === 'energySource' && (
        <Select
          data-autofocus
          label={tDevice('energySource')}
          description={tDevice('energySourceHint')}
          data={energySource.options.map((value) => ({ value, label: tDevice(`sources.${value}`) }))}
          value={entry}
          onChange={(source) => setEntry(source ?? 'auto')}
          allowDeselect={false}
        />
      )}
      {(what === 'expectedIntervalSeconds' || what === 'ratedPowerKw' || what === 'registerMaxKwh') && (
        <NumberSetting what={what} entry={entry} onChange={setEntry} isWrong={values === null} />
      )}
      {torn.length > 0 && (
        <Alert color="yellow">
          <p className={classes.text}>{t('torn', { count: torn.length, names: namesOf(torn) })}</p>
          <Button
            variant="default"
            size="compact-sm"
            mt="xs"
            onClick={() => onChoose(ids.union(new Set(torn.map(({ id }) => id))))}
          >
            {t('chooseTorn', { count: torn.length })}
          </Button>
        </Alert>
      )}
    </DialogForm>
  );
}

/** The value to send; null if the entry is empty or invalid. */
function readChange(what: What, entry: string, separator: string): Omit<DevicesChange, 'deviceIds'> | null {
  if (what === 'off' || what === 'on') return { isActive: what === 'on' };
  if (what === 'move') return entry === '' ? null : { siteId: entry };
  if (what === 'endUse') return { endUse: entry.trim() || null };
  if (what === 'energySource') return { energySource: energySource.parse(entry) };
  const value = typedNumber(entry, separator);
  return deviceWrite.shape[what].safeParse(value).success ? { [what]: value } : null;
}

interface NumberSettingProps {
  what: Exclude<Setting, 'endUse' | 'energySource'>;
  entry: string;
  onChange: (entry: string) => void;
  isWrong: boolean;
}

function NumberSetting({ what, entry, onChange, isWrong }: NumberSettingProps) {
  const t = useTranslations('sites.device');
  const format = useFormat();
  const max = format.integer(maxValueOf(deviceWrite.shape[what]) ?? 0);
  const interval = what === 'expectedIntervalSeconds' && !isWrong ? readDecimal(entry, format.decimalSeparator) : null;
  const duration = format.duration(deviceLimits(interval ?? null).offlineAfterSeconds);
  return (
    <NumberField
      data-autofocus
      label={t(what)}
      description={t(`${what}Hint`, { duration })}
      unit={what === 'expectedIntervalSeconds' ? t('seconds') : what === 'ratedPowerKw' ? 'kW' : 'kWh'}
      value={entry}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isWrong && t(what === 'expectedIntervalSeconds' ? 'wholeSeconds' : 'aboveZero', { max })}
    />
  );
}
