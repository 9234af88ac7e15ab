import { Select, Alert, Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CreatedApiKey } from '../../../../../shared/accounts.ts';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { devicesQuery } from '../../../lib/devices.ts';
import { toInstant, fromLocalText } from '../../../../../shared/time.ts';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { ShownOnce, ToCopy } from '../../../ui/ShownOnce.tsx';
import { curlCommand, type TestRow } from './ingest-command.ts';
import { useForm } from '@mantine/form';
import type { IngestResult } from '../../../../../shared/measurements.ts';
import { readDecimal } from '../../../lib/decimal.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { inLanguage } from '../../../lib/i18n/error-texts.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { NumberField } from '../../../ui/NumberField.tsx';
import { useFormRefusal } from '../../../ui/DialogForm.tsx';
import { useSendTestRow } from './api-keys-query.ts';
import shown from '../../../ui/ShownOnce.module.css';
import classes from './ArrivalCells.module.css';
import { useDisplayZone } from '../../../lib/current-user.ts';

/** A placeholder in the command while there is no device. */
const exampleId = 'meter-1';

interface CreatedKeyProps {
  apiKey: CreatedApiKey;
  onDone: () => void;
}

/** Shows a new key once, explains how to use it, and lets the user try it. */
export function CreatedKey({ apiKey: { key }, onDone }: CreatedKeyProps) {
  const t = useTranslations('settings.apiKeys');
  const tTerms = useTranslations('terms');
  const devices = useQuery(devicesQuery).data;
  const [openedAt] = useState(() => toInstant(Math.floor(Date.now() / 60_000) * 60_000).replace('.000Z', 'Z'));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen =
    devices?.find(({ id }) => id === chosenId) ?? devices?.find(({ isActive }) => isActive) ?? devices?.[0];

  const command = curlCommand(window.location.origin, key, {
    externalId: chosen?.externalId ?? exampleId,
    time: openedAt,
    activePowerKw: 12.5,
  });
  return (
    <ShownOnce
      secret={key}
      label={t('key')}
      copyLabel={t('copyKey')}
      warning={t('shownOnce')}
      notCopied={t('notCopied')}
      onDone={onDone}
    >
      {(confirmCopied) => (
        <>
          {devices !== undefined && devices.length > 0 && (
            <Select
              label={tTerms('device')}
              description={t('deviceHint')}
              placeholder={t('chooseDevice')}
              nothingFoundMessage={tTerms('noSuchDevice')}
              data={bySite(devices)}
              value={chosen?.id ?? null}
              onChange={setChosenId}
              allowDeselect={false}
              searchable
              selectFirstOptionOnChange
            />
          )}
          <ToCopy
            heading={t('command')}
            hint={devices?.length === 0 ? t.rich('noDevices', { link: linkToSites }) : t('commandHint')}
            text={command}
            copyLabel={t('copyCommand')}
            onCopied={confirmCopied}
          />
          {chosen !== undefined && <TestRowForm key={chosen.id} apiKey={key} device={chosen} />}
        </>
      )}
    </ShownOnce>
  );
}

function linkToSites(text: ReactNode) {
  return <LinkAnchor to="/sites">{text}</LinkAnchor>;
}

function bySite(devices: readonly DeviceWithSite[]) {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const { id, name, externalId, siteName } of devices) {
    const items = groups.get(siteName) ?? [];
    items.push({ value: id, label: `${name} (${externalId})` });
    groups.set(siteName, items);
  }
  return [...groups].map(([group, items]) => ({ group, items }));
}

interface TestRowFormProps {
  apiKey: string;
  device: DeviceWithSite;
}

/** Tries one measurement with a key, and shows how the portal would answer. */
function TestRowForm({ apiKey, device }: TestRowFormProps) {
  const t = useTranslations('settings.apiKeys.test');
  const tCommon = useTranslations('common');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const errorText = useErrorText();
  const timeZone = useDisplayZone();
  const send = useSendTestRow(apiKey);

  const readPower = (text: string) => readDecimal(text, format.decimalSeparator) ?? null;
  const form = useForm({
    // Empty means now, whenever the row is sent.
    initialValues: { power: '1', time: '' },
    validate: {
      power: (power) => (readPower(power) === null ? t('powerMissing') : null),
      time: (time) => (time === '' || fromLocalText(time, timeZone) !== null ? null : tCommon('timeRange.incomplete')),
    },
  });
  const refusal = useFormRefusal(form, ['power', 'time']);
  const submit = form.onSubmit(({ power, time }) => {
    const activePowerKw = readPower(power);
    if (send.isPending || activePowerKw === null) return;
    const at = fromLocalText(time, timeZone);
    send.mutate({
      externalId: device.externalId,
      time: at === null ? null : toInstant(at),
      activePowerKw,
    });
  }, refusal.focusInvalid);

  return (
    <section aria-label={t('title')} className={classes.test}>
      <h3 className={shown.heading}>{t('title')}</h3>
      <p className={shown.hint}>{t('hint')}</p>
      <form onSubmit={submit} noValidate data-keeps-nothing>
        <div className={classes.row}>
          <NumberField {...form.getInputProps('power')} value={form.values.power} unit="kW" label={tTerms('power')} />
          <TextInput
            {...form.getInputProps('time')}
            type="datetime-local"
            label={tTerms('time')}
            description={t('timeHint', { zone: format.timeZoneName(timeZone) })}
          />
        </div>
        <Button type="submit" variant="default" mt="sm" loading={send.isPending}>
          {t('send')}
        </Button>
      </form>
      <div role="status" className={send.isIdle ? undefined : classes.result}>
        {send.isSuccess && <Result {...send.data} device={device} timeZone={timeZone} />}
        {send.isError && <Alert color="red">{errorText(send.error)}</Alert>}
      </div>
    </section>
  );
}

interface ResultProps {
  result: IngestResult;
  row: TestRow;
  device: DeviceWithSite;
  timeZone: string;
}

function Result({ result, row, device, timeZone }: ResultProps) {
  const t = useTranslations('settings.apiKeys.test');
  const format = useFormat();
  const { accepted, rejected, duplicates, errors } = result;
  const time = format.dateTimeSeconds(row.time, timeZone);
  const said =
    rejected > 0
      ? t('rejected', { reason: inLanguage(errors[0]?.reason ?? '', errors[0]?.refusal ?? null) })
      : duplicates > 0
        ? t('duplicate', { device: device.name, time })
        : t('stored', { power: format.power(row.activePowerKw), device: device.name, time });
  return (
    <Alert color={rejected > 0 ? 'red' : duplicates > 0 ? 'yellow' : 'green'} title={said}>
      <p className={`${classes.counts} figures`}>{t('counts', { accepted, rejected, duplicates })}</p>
    </Alert>
  );
}
