import { Combobox, InputBase, useCombobox } from '@mantine/core';
import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { bySite, isFound, type ChosenDevices } from '../../lib/chosen-devices.ts';
import classes from './DevicePicker.module.css';

interface DevicePickerProps {
  devices: readonly DeviceWithSite[];
  chosen: ChosenDevices;
  /** Gets the ids as they stand in the URL. */
  onChange: (devices: string) => void;
}

const all = 'all';

/** Chooses devices: a click on a name shows only that device, one on its box (or Enter) adds or removes it. */
export function DevicePicker({ devices, chosen, onChange }: DevicePickerProps) {
  const t = useTranslations('devicePicker');
  const [search, setSearch] = useState('');
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
  });
  const ids = new Set(chosen.isAll ? [] : chosen.devices.map(({ id }) => id));
  const [only] = chosen.devices;
  const label =
    chosen.isAll || only === undefined
      ? chosen.isAll
        ? t('all', { count: devices.length })
        : t('none')
      : chosen.devices.length === 1
        ? `${only.name} · ${only.siteName}`
        : t('some', { count: chosen.devices.length });

  const toggle = (value: string) => {
    if (value === all) return onChange(all);
    const next = new Set(ids);
    if (!next.delete(value)) next.add(value);
    // In the order of the list, so that the same choice is always the same link.
    if (next.size > 0) onChange(devices.flatMap(({ id }) => (next.has(id) ? [id] : [])).join(','));
  };
  const showOnly = (value: string) => {
    onChange(value);
    combobox.closeDropdown();
  };

  const found = bySite(devices.filter((device) => isFound(device, search)));
  return (
    <Combobox store={combobox} width="max-content" position="bottom-start" withinPortal>
      <Combobox.Target targetType="button">
        <InputBase
          component="button"
          type="button"
          pointer
          label={t('label')}
          className={classes.target}
          rightSection={<IconChevronDown size={15} stroke={1.75} aria-hidden />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          <span className={classes.value}>{label}</span>
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Search
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          placeholder={t('search')}
          aria-label={t('search')}
        />
        <Combobox.Options className={classes.options} aria-label={t('label')} aria-multiselectable>
          {search === '' && (
            <DeviceOption
              value={all}
              label={t('all', { count: devices.length })}
              isChosen={chosen.isAll}
              onOnly={showOnly}
              onToggle={toggle}
            />
          )}
          {found.map(({ siteId, siteName, devices: members }) => (
            <Combobox.Group key={siteId} label={siteName}>
              {members.map(({ id, name, isActive }) => (
                <DeviceOption
                  key={id}
                  value={id}
                  label={name}
                  hint={isActive ? null : t('off')}
                  isChosen={ids.has(id)}
                  onOnly={showOnly}
                  onToggle={toggle}
                />
              ))}
            </Combobox.Group>
          ))}
          {found.length === 0 && <Combobox.Empty>{t('nothingFound')}</Combobox.Empty>}
        </Combobox.Options>
        <Combobox.Footer className={classes.footer}>{t('hint')}</Combobox.Footer>
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface DeviceOptionProps {
  value: string;
  label: string;
  hint?: string | null;
  isChosen: boolean;
  onOnly: (value: string) => void;
  onToggle: (value: string) => void;
}

function DeviceOption({ value, label, hint = null, isChosen, onOnly, onToggle }: DeviceOptionProps) {
  return (
    <Combobox.Option
      value={value}
      active={isChosen}
      aria-selected={isChosen}
      className={classes.option}
      onClick={(event) => {
        // A key press reaches this as a click that no pointer made: it toggles, as a click on the box does.
        const isOnBox = event.target instanceof Element && event.target.closest('[data-box]') !== null;
        if (event.detail === 0 || isOnBox) onToggle(value);
        else onOnly(value);
      }}
    >
      <span data-box className={classes.boxPlace}>
        <span className={classes.box} data-chosen={isChosen}>
          {isChosen && <IconCheck size={12} stroke={3} aria-hidden />}
        </span>
      </span>
      <span className={classes.name}>{label}</span>
      {hint !== null && <span className={classes.hint}>{hint}</span>}
    </Combobox.Option>
  );
}
