import { Combobox, InputBase, useCombobox } from '@mantine/core';
import { IconCheck, IconChevronDown, IconChevronRight, IconMinus } from '@tabler/icons-react';
import { useId, useState, type MouseEvent } from 'react';
import { useTranslations } from 'use-intl';
import type { DeviceWithSite } from '../../../shared/sites.ts';
import { bySite, isFound, namesakes, type ChosenDevices } from '../lib/chosen-devices.ts';
import { useFormat } from '../lib/use-format.ts';
import classes from './DevicePicker.module.css';

interface DevicePickerProps {
  devices: readonly DeviceWithSite[];
  chosen: ChosenDevices;
  /** Called with the ids as they appear in the URL. */
  onChange: (devices: string) => void;
  /** Hides the label if the place of the picker explains it. */
  isBare?: boolean;
}

const all = 'all';
const siteValue = (siteId: string) => `site:${siteId}`;
/** With more devices than this, only the sites are listed. Each site is opened on demand. */
const openedUpTo = 40;
/** If there are more than this, the user types to see fewer. */
const foundMax = 100;

/**
 * Chooses devices and whole sites. A click on a name chooses only that item. A click on its box (or Enter) adds or removes the
 * item.
 */
export function DevicePicker({ devices, chosen, onChange, isBare = false }: DevicePickerProps) {
  const t = useTranslations('devicePicker');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const [search, setSearch] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const listId = useId();
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      combobox.focusTarget();
      setSearch('');
    },
  });
  const ids = new Set(chosen.isAll ? [] : chosen.devices.map(({ id }) => id));
  const membersOf = (value: string) =>
    devices.flatMap(({ id, siteId }) => (value === id || value === siteValue(siteId) ? [id] : []));
  const choose = (next: ReadonlySet<string>) => {
    // In the order of the list, so that the same choice always gives the same link.
    if (next.size > 0) onChange(devices.flatMap(({ id }) => (next.has(id) ? [id] : [])).join(','));
  };
  const toggle = (value: string) => {
    if (value === all) return onChange(all);
    const members = new Set(membersOf(value));
    choose(members.isSubsetOf(ids) ? ids.difference(members) : ids.union(members));
  };
  const showOnly = (value: string) => {
    onChange(value === all ? all : membersOf(value).join(','));
    combobox.closeDropdown();
  };
  const label = useChoiceLabel(devices, chosen);
  const alike = combobox.dropdownOpened ? namesakes(devices) : new Set();

  const isSearched = search.trim() !== '';
  const matching = isSearched ? devices.filter((device) => isFound(device, search)) : devices;
  const isOpen = (siteId: string) => isSearched || devices.length <= openedUpTo || opened.has(siteId);
  const found = combobox.dropdownOpened ? bySite(isSearched ? matching.slice(0, foundMax) : matching) : [];
  const optionProps = { onOnly: showOnly, onToggle: toggle };
  return (
    <Combobox store={combobox} width="max-content" position="bottom-start" withinPortal={false}>
      <Combobox.Target targetType="button">
        <InputBase
          component="button"
          type="button"
          pointer
          {...(isBare ? { 'aria-label': format.labelled(tTerms('devices'), label) } : { label: tTerms('devices') })}
          className={classes.target}
          rightSection={<IconChevronDown size={15} stroke={1.75} aria-hidden />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.toggleDropdown()}
        >
          <span className={`${classes.value} one-line`}>{label}</span>
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        <Combobox.Search
          value={search}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            combobox.updateSelectedOptionIndex();
          }}
          placeholder={tTerms('searchDevices')}
          aria-label={tTerms('searchDevices')}
          role="combobox"
          aria-expanded={combobox.dropdownOpened}
          aria-controls={listId}
        />
        <Combobox.Options id={listId} className={classes.options} aria-label={tTerms('devices')} aria-multiselectable>
          {!isSearched && (
            <PickerOption
              value={all}
              label={t('all', { count: devices.length })}
              chosen={chosen.isAll ? 'all' : 'none'}
              {...optionProps}
            />
          )}
          {found.map(({ siteId, siteName, devices: members }) => {
            const own = membersOf(siteValue(siteId));
            const count = own.filter((id) => ids.has(id)).length;
            const isShown = isOpen(siteId);
            return (
              <div key={siteId} role="group" aria-label={siteName}>
                <PickerOption
                  value={siteValue(siteId)}
                  label={siteName}
                  hint={tTerms('countDevices', { count: own.length })}
                  chosen={count === 0 ? 'none' : count === own.length ? 'all' : 'some'}
                  isSite
                  {...(isSearched || devices.length <= openedUpTo
                    ? {}
                    : { isShown, onShow: () => setOpened(opened.symmetricDifference(new Set([siteId]))) })}
                  {...optionProps}
                />
                {isShown &&
                  members.map(({ id, name, externalId, isActive }) => (
                    <PickerOption
                      key={id}
                      value={id}
                      label={name}
                      hint={
                        [...(alike.has(id) ? [externalId] : []), ...(isActive ? [] : [t('off')])].join(' · ') || null
                      }
                      chosen={ids.has(id) ? 'all' : 'none'}
                      {...optionProps}
                    />
                  ))}
              </div>
            );
          })}
          {isSearched && matching.length > foundMax && (
            <div className={classes.rest}>{tTerms('typeMore', { count: matching.length - foundMax })}</div>
          )}
          {matching.length === 0 && <Combobox.Empty>{t('nothingFound')}</Combobox.Empty>}
        </Combobox.Options>
        <Combobox.Footer className={classes.footer}>{t('hint')}</Combobox.Footer>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The choice in a few words: a site by its name if all its devices are chosen. */
function useChoiceLabel(devices: readonly DeviceWithSite[], { isAll, devices: chosen }: ChosenDevices): string {
  const t = useTranslations('devicePicker');
  if (isAll) return t('all', { count: devices.length });
  const [only] = chosen;
  if (only === undefined) return t('none');
  if (chosen.length === 1) {
    const id = namesakes(devices).has(only.id) ? ` (${only.externalId})` : '';
    return `${only.name}${id} · ${only.siteName}`;
  }
  const sites = new Set(chosen.map(({ siteId }) => siteId));
  const isWhole = devices.filter(({ siteId }) => sites.has(siteId)).length === chosen.length;
  if (!isWhole) return t('some', { count: chosen.length });
  return sites.size === 1 ? only.siteName : t('sites', { count: sites.size, devices: chosen.length });
}

interface PickerOptionProps {
  value: string;
  label: string;
  hint?: string | null;
  /** Whether all, some or none of a site's devices are checked. */
  chosen: 'all' | 'some' | 'none';
  isSite?: boolean;
  /** Whether the devices of the site are listed below it. Used only with `onShow`. */
  isShown?: boolean;
  onShow?: () => void;
  onOnly: (value: string) => void;
  onToggle: (value: string) => void;
}

function PickerOption(props: PickerOptionProps) {
  const { value, label, hint = null, chosen, isSite = false, isShown = false, onShow, onOnly, onToggle } = props;
  const Arrow = isShown ? IconChevronDown : IconChevronRight;
  const choose = (event: MouseEvent) => {
    const isOn = (part: string) => event.target instanceof Element && event.target.closest(part) !== null;
    if (onShow !== undefined && isOn('[data-arrow]')) onShow();
    // A key press arrives here as a click without a pointer. It toggles the item, like a click on the box.
    else if (event.detail === 0 || isOn('[data-box]')) onToggle(value);
    else onOnly(value);
  };
  return (
    <Combobox.Option
      value={value}
      active={chosen === 'all'}
      aria-selected={chosen === 'all'}
      className={classes.option}
      data-site={isSite || undefined}
      onClick={choose}
    >
      <span data-box className={classes.boxPlace}>
        <span className={classes.box} data-chosen={chosen !== 'none'}>
          {chosen === 'all' && <IconCheck size={12} stroke={3} aria-hidden />}
          {chosen === 'some' && <IconMinus size={12} stroke={3} aria-hidden />}
        </span>
      </span>
      <span className={classes.name}>{label}</span>
      {hint !== null && <span className={classes.hint}>{hint}</span>}
      {onShow !== undefined && (
        <span data-arrow className={classes.boxPlace}>
          <Arrow size={15} stroke={1.75} aria-hidden />
        </span>
      )}
    </Combobox.Option>
  );
}
