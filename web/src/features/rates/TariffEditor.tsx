import { Button, Switch, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs, Tariff, TariffWrite, CostPreview } from '../../../../shared/rates.ts';
import { TheirsKept } from '../../lib/edit-conflict.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/http.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useFormat } from '../../lib/use-format.ts';
import { FormError, useFormRefusal } from '../../ui/DialogForm.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { UnsavedGuard, Dialog } from '../../ui/Dialog.tsx';
import { findOverlaps, type Band } from './bands.ts';
import { Calculator } from './Calculator.tsx';
import { dateAt, isDate, addDays, utcMs } from './local-dates.ts';
import { previewTariffs, useSaveTariff } from './queries.ts';
import { TariffFields, StartFrom } from './TariffFields.tsx';
import {
  draftOf,
  type TariffDraft,
  emptyDraft,
  endedBefore,
  isBandComplete,
  isOverruledFrom,
  nextVersionOf,
  readAmount,
  termsOf,
  toTariffWrite,
} from './tariff-values.ts';
import { TryOnLoadLink } from './TryOnLoadLink.tsx';
import { WeekPanel } from './WeekPanel.tsx';
import classes from './TariffPages.module.css';
import { CostChanges } from '../../entities/CostChanges.tsx';

interface TariffEditorProps {
  municipality: MunicipalityWithTariffs;
  /** Null creates a new one. */
  tariff: Tariff | null;
  /** The version that a new one follows. */
  copyOf: Tariff | null;
  /** What a new one starts with. */
  currency: string;
}

/** Whether none of the tariffs has begun, so that no measured month has a price from them. */
function isOfFuture(tariffs: readonly (TariffWrite | null)[], timeZone: string): boolean {
  const today = dateAt(Date.now(), timeZone);
  return tariffs.every((tariff) => tariff === null || tariff.effectiveFrom > today);
}

/** The fields of the wire that have other names in the form. */
const fieldNames = { effectiveFrom: 'firstDay', effectiveTo: 'lastDay' } as const;

const priceFields = ['defaultRatePerKwh', 'fixedChargePerMonth', 'vatPercent', 'exportRatePerKwh'] as const;

/** Creates or changes a tariff: its dates and prices, the week with its periods, and the cost of a load. */
export function TariffEditor({ municipality, tariff, copyOf, currency }: TariffEditorProps) {
  const t = useTranslations('rates.form');
  const tAll = useTranslations();
  const format = useFormat();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const formId = useId();
  const save = useSaveTariff();
  const separator = format.decimalSeparator;
  const [initial] = useState(() => {
    const today = dateAt(Date.now(), municipality.timeZone);
    if (tariff !== null) return draftOf(tariff, separator);
    return copyOf === null
      ? emptyDraft(municipality.tariffs, currency, today)
      : nextVersionOf(copyOf, today, separator);
  });
  // The values at the start: updates that the page receives later are not changes made here.
  const [seen] = useState(tariff);
  const [bands, setBands] = useState<readonly Band[]>(initial.bands);
  const [started, setStarted] = useState<TariffDraft>(initial);
  const [endsEarlier, setEndsEarlier] = useState(true);
  const [isChecked, setIsChecked] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [asked, setAsked] = useState<AskedChanges | null>(null);

  const amount = (text: string) => (readAmount(text, separator) === undefined ? t('amountInvalid') : null);
  const form = useForm({
    initialValues: initial.values,
    validate: {
      name: (name) => (name.trim() === '' ? tAll('errors.required') : null),
      firstDay: (day) => (isDate(day) ? null : t('dateMissing')),
      lastDay: (day, { firstDay }) => (day === '' || (isDate(day) && day >= firstDay) ? null : t('lastDayInvalid')),
      defaultRatePerKwh: (text) => (text.trim() === '' ? tAll('errors.required') : amount(text)),
      fixedChargePerMonth: (text) => amount(text),
      vatPercent: (text) => (readAmount(text, separator, 'vatPercent') === undefined ? t('percentInvalid') : null),
      exportRatePerKwh: (text) => amount(text),
    },
  });
  const refusal = useFormRefusal(form, ['name', 'currency', 'firstDay', 'lastDay', ...priceFields]);
  const { values } = form;
  const terms = termsOf({ values, bands: [...bands] }, separator);
  const areBandsRight = bands.every((band) => isBandComplete(band, separator)) && findOverlaps(bands).length === 0;
  const replaced = copyOf !== null && isOverruledFrom(copyOf, values.firstDay) && values.isActive ? copyOf : null;
  const isDirty = form.isDirty() || bands !== initial.bands;
  const title =
    tariff !== null ? tariff.name : t(copyOf === null ? 'newTitle' : 'copyTitle', { name: copyOf?.name ?? '' });
  usePageTitle(title);

  const leave = () => navigate({ to: '/settings/rates', ignoreBlocker: true });

  /** The new version is already stored: whatever happens now, it must not be stored again. */
  const endReplaced = async (earlier: Tariff) => {
    try {
      await save.mutateAsync({ seen: earlier, values: endedBefore(earlier, values.firstDay) });
      notifications.show({ color: 'green', message: t('savedAndEnded', { name: values.name, earlier: earlier.name }) });
    } catch (error) {
      notifications.show({
        color: 'red',
        autoClose: false,
        message: t('notEnded', { name: values.name, earlier: earlier.name, reason: errorText(error) }),
      });
    }
  };

  const store = async (written: TariffWrite) => {
    setAsked(null);
    setIsSaving(true);
    try {
      const saved = await save.mutateAsync({ seen, values: written });
      if (replaced !== null && endsEarlier) await endReplaced(replaced);
      else
        notifications.show({
          color: 'green',
          message: t(tariff === null ? 'created' : 'saved', { name: saved.name }),
        });
      await leave();
    } catch (error) {
      if (error instanceof TheirsKept) await leave();
      else refusal.show(error, fieldNames);
    } finally {
      setIsSaving(false);
    }
  };

  /** Stores the tariff if it changes no measured month; otherwise shows the changes first. */
  const ask = async (written: TariffWrite) => {
    const earlier =
      replaced !== null && endsEarlier ? [{ id: replaced.id, tariff: endedBefore(replaced, values.firstDay) }] : [];
    setIsSaving(true);
    try {
      const preview = await previewTariffs({ changes: [{ id: seen?.id ?? null, tariff: written }, ...earlier] });
      if (preview.months.length === 0) await store(written);
      else setAsked({ written, preview, error: null });
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) refusal.show(error, fieldNames);
      else setAsked({ written, preview: null, error });
    } finally {
      setIsSaving(false);
    }
  };

  /** Once it is marked. */
  const focusWrongPeriod = () =>
    setTimeout(() =>
      document.getElementById(formId)?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')?.focus(),
    );

  const submit = form.onSubmit(
    async () => {
      setIsChecked(true);
      refusal.clear();
      if (!areBandsRight) focusWrongPeriod();
      if (isSaving || terms === null || !areBandsRight) return;
      const written = toTariffWrite(municipality.id, values, terms);
      if (!isDirty || isOfFuture([written, seen], municipality.timeZone)) return store(written);
      return ask(written);
    },
    (errors) => {
      setIsChecked(true);
      refusal.focusInvalid(errors);
    },
  );

  return (
    <>
      <PageHeader
        title={title}
        description={`${municipality.name} · ${municipality.timeZone.replaceAll('_', ' ')}`}
        actions={tariff !== null && <TryOnLoadLink tariffId={tariff.id} />}
      />
      <div className={classes.sections}>
        <form id={formId} noValidate onSubmit={submit} className={classes.sections}>
          <Panel title={tAll('terms.tariff')}>
            {tariff === null && copyOf === null && (
              <StartFrom
                entered={{
                  periods: bands !== started.bands,
                  prices: priceFields.some((field) => values[field] !== started.values[field]),
                }}
                onTemplate={(template) => {
                  setBands(template);
                  setStarted({ values, bands: template });
                }}
                onCopy={(copied) => {
                  const { values: theirs, bands: copies } = draftOf(copied, separator);
                  const { firstDay, lastDay, isActive, name } = values;
                  const copiedName = name.trim() === '' ? theirs.name : name;
                  const own = { ...theirs, firstDay, lastDay, isActive, name: copiedName };
                  form.setValues(own);
                  setBands(copies);
                  setStarted({ values: own, bands: copies });
                }}
              />
            )}
            <TariffFields form={form} />
            {replaced !== null && (
              <ReplacedVersion
                tariff={replaced}
                firstDay={values.firstDay}
                isEnded={endsEarlier}
                onChange={setEndsEarlier}
              />
            )}
          </Panel>
          <WeekPanel
            bands={bands}
            onChange={setBands}
            currency={values.currency}
            defaultRate={terms === null ? '' : format.pricePerKwh(terms.defaultRatePerKwh, terms.currency)}
            isChecked={isChecked}
          />
        </form>
        <Calculator terms={areBandsRight ? terms : null} municipality={municipality} />
        <div className={`${classes.bar} screen-only`} data-bottom-bar>
          <FormError>{refusal.text ?? (isChecked && !areBandsRight ? t('bandsWrong') : null)}</FormError>
          <div className={classes.buttons}>
            {isDirty && <span className={classes.unsaved}>{tAll('terms.notSavedYet')}</span>}
            <Button variant="default" onClick={() => void navigate({ to: '/settings/rates' })}>
              {tAll('common.cancel')}
            </Button>
            <Button type="submit" form={formId} loading={isSaving}>
              {tariff !== null
                ? tAll('common.saveChanges')
                : t(replaced !== null && endsEarlier ? 'createAndEnd' : 'create')}
            </Button>
          </div>
        </div>
      </div>
      <TariffChangesDialog asked={asked} onStore={(written) => void store(written)} onClose={() => setAsked(null)} />
      <UnsavedGuard isDirty={isDirty && !isSaving} />
    </>
  );
}

interface ReplacedVersionProps {
  tariff: Tariff;
  firstDay: string;
  isEnded: boolean;
  onChange: (isEnded: boolean) => void;
}

/** Asks whether the previous version ends the day before the new one begins. */
function ReplacedVersion({ tariff, firstDay, isEnded, onChange }: ReplacedVersionProps) {
  const t = useTranslations('rates.form');
  const format = useFormat();
  return (
    <Switch
      mt="md"
      className={classes.replaced}
      checked={isEnded}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={t('endEarlier', { name: tariff.name, day: format.date(utcMs(addDays(firstDay, -1)), 'UTC') })}
      description={t(isEnded ? 'endEarlierHint' : 'keepEarlierHint')}
    />
  );
}

/** A tariff that is about to be stored, and its effect, or why that is unknown. */
interface AskedChanges {
  written: TariffWrite;
  preview: CostPreview | null;
  error: unknown;
}

interface TariffChangesDialogProps {
  asked: AskedChanges | null;
  onStore: (written: TariffWrite) => void;
  onClose: () => void;
}

/** Shows how a tariff changes months that are already measured, before it is stored. */
function TariffChangesDialog({ asked, onStore, onClose }: TariffChangesDialogProps) {
  const t = useTranslations('costChanges');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  return (
    <Dialog opened={asked !== null} onClose={onClose} title={t('title')} size="md">
      {asked !== null && (
        <>
          {asked.preview === null ? (
            <Text>{t('failed', { reason: errorText(asked.error) })}</Text>
          ) : (
            <CostChanges preview={asked.preview} />
          )}
          <Group justify="flex-end" gap="xs" mt="md">
            <Button variant="default" onClick={onClose}>
              {tCommon('unsaved.stay')}
            </Button>
            <Button data-autofocus onClick={() => onStore(asked.written)}>
              {t(asked.preview === null ? 'saveAnyway' : 'save')}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}
