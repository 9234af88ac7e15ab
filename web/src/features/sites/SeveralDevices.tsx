import { Button, Checkbox, Select, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { SiteWithDevices } from '../../../../shared/sites.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { sitesQuery } from '../../lib/sites.ts';
import { Dialog, DialogButtons } from '../../ui/Dialog.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { useChangeDevices } from './mutations.ts';
import classes from './SeveralDevices.module.css';

type What = 'off' | 'on' | 'move';

interface SeveralDevicesProps {
  site: SiteWithDevices;
  /** Ids; null while none are being chosen. */
  chosen: ReadonlySet<string> | null;
  onChoose: (chosen: ReadonlySet<string> | null) => void;
}

/** What can be done with the chosen devices of a site, all of them at once. */
export function SeveralDevices({ site, chosen, onChoose }: SeveralDevicesProps) {
  const t = useTranslations('sites.several');
  const doing = useDialog<What>();
  if (chosen === null) {
    return (
      <Button variant="default" size="compact-sm" onClick={() => onChoose(new Set())}>
        {t('choose')}
      </Button>
    );
  }
  const own = site.devices.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
  const reason = own.length === 0 ? t('noneChosen') : null;
  const isAll = own.length === site.devices.length;
  return (
    <div className={classes.bar}>
      <Checkbox
        label={t('all')}
        checked={isAll}
        indeterminate={!isAll && own.length > 0}
        onChange={() => onChoose(new Set(isAll ? [] : site.devices.map(({ id }) => id)))}
      />
      <span role="status" className={classes.count}>
        {t('chosen', { count: own.length })}
      </span>
      {(['off', 'on', 'move'] as const).map((what) => (
        <ReasonedButton key={what} variant="default" size="compact-sm" reason={reason} onClick={() => doing.open(what)}>
          {t(what)}
        </ReasonedButton>
      ))}
      <Button variant="subtle" size="compact-sm" onClick={() => onChoose(null)}>
        {t('end')}
      </Button>
      {doing.subject !== null && (
        <Dialog opened={doing.isOpen} onClose={doing.close} title={t(`${doing.subject}Title`, { count: own.length })}>
          <ChangeForm
            what={doing.subject}
            site={site}
            deviceIds={own}
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
  site: SiteWithDevices;
  deviceIds: readonly string[];
  onDone: () => void;
  onCancel: () => void;
}

function ChangeForm({ what, site, deviceIds, onDone, onCancel }: ChangeFormProps) {
  const t = useTranslations('sites.several');
  const tDevice = useTranslations('sites.device');
  const errorText = useErrorText();
  const sites = useQuery(sitesQuery).data ?? [];
  const [siteId, setSiteId] = useState<string | null>(null);
  const change = useChangeDevices();
  const names = site.devices.filter(({ id }) => deviceIds.includes(id)).map(({ name }) => name);
  const submit = () => {
    if (change.isPending || (what === 'move' && siteId === null)) return;
    const values = what === 'move' ? { siteId } : { isActive: what === 'on' };
    // Not as a callback of the mutation: the form is gone with the last device of the site.
    change.mutateAsync({ deviceIds, ...values }).then(
      ({ changed }) => {
        notifications.show({ color: 'green', message: t('changed', { count: changed }) });
        onDone();
      },
      () => undefined,
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="md">
        <p className={classes.text}>{t(`${what}Text`)}</p>
        <p className={classes.names}>{names.join(', ')}</p>
        {what === 'move' && (
          <Select
            data-autofocus
            label={tDevice('site')}
            placeholder={tDevice('chooseSite')}
            data={sites.filter(({ id }) => id !== site.id).map(({ id, name }) => ({ value: id, label: name }))}
            value={siteId}
            onChange={setSiteId}
            searchable
            selectFirstOptionOnChange
          />
        )}
        <FormError>{change.error === null ? null : errorText(change.error)}</FormError>
        <DialogButtons
          submitLabel={t(what)}
          isPending={change.isPending}
          isDisabled={what === 'move' && siteId === null}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
