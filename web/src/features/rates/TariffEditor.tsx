import { Button, Switch, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  type CostPreview,
  type MunicipalityWithTariffs,
  type Tariff,
  type TariffWrite,
  tariffWrite,
} from '../../../../shared/rates.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { ApiError } from '../../lib/http.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useFormat } from '../../lib/use-format.ts';
import { FormError } from '../../ui/DialogForm.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { UnsavedGuard, Dialog } from '../../ui/Dialog.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { Calculator } from './Calculator.tsx';
import { dateAt, addDays, utcMs } from './local-dates.ts';
import { previewTariffs, useSaveTariff, useTariffFields } from './queries.ts';
import { TariffFields, StartFrom } from './TariffFields.tsx';
import {
  arePeriodsRight,
  draftOf,
  emptyDraft,
  endedBefore,
  isOverruledFrom,
  nextVersionOf,
  priceFields,
  termsOf,
  type TariffValues,
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
  /** The version of the tariff that a new one follows. */
  copyOf: Tariff | null;
  /** The initial values of a new tariff. */
  currency: string;
}

/** Whether none of the tariffs has begun, so that no past month has a price from them. */
function isOfFuture(tariffs: readonly (TariffWrite | null)[], timeZone: string): boolean {
  const today = dateAt(Date.now(), timeZone);
  return tariffs.every((tariff) => tariff === null || tariff.effectiveFrom > today);
}

/** Creates or changes a tariff: its dates and prices, the week with its periods, and the cost of a load. */
export function TariffEditor({ municipality, tariff, copyOf, currency }: TariffEditorProps) {
  const t = useTranslations('rates.form');
  const tAll = useTranslations();
  const format = useFormat();
  const errorText = useErrorText();
  const navigate = useNavigate();
  const formId = useId();
  const store = useSaveTariff();
  const separator = format.decimalSeparator;
  const [initial] = useState(() => {
    const today = dateAt(Date.now(), municipality.timeZone);
    if (tariff !== null) return draftOf(tariff, separator);
    return copyOf === null
      ? emptyDraft(municipality.tariffs, currency, today)
      : nextVersionOf(copyOf, today, separator);
  });
  const [started, setStarted] = useState<TariffValues>(initial);
  const [endsEarlier, setEndsEarlier] = useState(true);
  const [isChecked, setIsChecked] = useState(false);
  const [asked, setAsked] = useState<AskedChanges | null>(null);
  const leave = () => void navigate({ to: '/settings/rates', ignoreBlocker: true });

  const amountInvalid = () => t('amountInvalid');
  const toWrite = (entered: TariffValues) => toTariffWrite(municipality.id, entered, separator);
  const { form, seen, dialog, ...inputs } = useRecordForm<TariffValues, Tariff, Tariff>({
    seen: tariff,
    initialValues: initial,
    schema: tariffWrite,
    toWrite,
    problems: {
      effectiveFrom: () => t('dateMissing'),
      effectiveTo: () => t('lastDayInvalid'),
      defaultRatePerKwh: amountInvalid,
      fixedChargePerMonth: amountInvalid,
      vatPercent: () => t('percentInvalid'),
      exportRatePerKwh: amountInvalid,
    },
    check: ({ effectiveFrom, effectiveTo, periods }) => ({
      ...(effectiveTo !== '' && effectiveTo < effectiveFrom && { effectiveTo: t('lastDayInvalid') }),
      periods: arePeriodsRight(periods, separator) ? null : t('bandsWrong'),
    }),
    labels: useTariffFields(),
    save: async (entered, before): Promise<Tariff | null> => {
      const written = tariffWrite.parse(toWrite(entered));
      if (!(await isAgreed(written))) return null;
      const saved = await store.mutateAsync({ seen: before, values: written });
      if (ended !== null) await end(ended);
      return saved;
    },
    said: ({ name }): string | null => (ended === null ? t(tariff === null ? 'created' : 'saved', { name }) : null),
    onSaved: leave,
    onCancel: leave,
    createLabel: t('create'),
  });
  const { values } = form;
  const isDirty = form.isDirty();
  const terms = termsOf(values, separator);
  const areRight = arePeriodsRight(values.periods, separator);
  const replaced: Tariff | null =
    copyOf !== null && isOverruledFrom(copyOf, values.effectiveFrom) && values.isActive ? copyOf : null;
  const ended: Tariff | null = endsEarlier ? replaced : null;
  const title =
    tariff !== null ? tariff.name : t(copyOf === null ? 'newTitle' : 'copyTitle', { name: copyOf?.name ?? '' });
  usePageTitle(title);

  /** The new version is already stored. Whatever happens now, it must not be stored a second time. */
  const end = async (earlier: Tariff) => {
    try {
      await store.mutateAsync({ seen: earlier, values: endedBefore(earlier, values.effectiveFrom) });
      notifications.show({ color: 'green', message: t('savedAndEnded', { name: values.name, earlier: earlier.name }) });
    } catch (error) {
      notifications.show({
        color: 'red',
        autoClose: false,
        message: t('notEnded', { name: values.name, earlier: earlier.name, reason: errorText(error) }),
      });
    }
  };

  /** Whether a tariff may be stored. If it changes past months, the user first sees how. */
  const isAgreed = async (written: TariffWrite): Promise<boolean> => {
    if (!isDirty || isOfFuture([written, seen], municipality.timeZone)) return true;
    const earlier = ended === null ? [] : [{ id: ended.id, tariff: endedBefore(ended, values.effectiveFrom) }];
    const answer = (question: Omit<AskedChanges, 'answer'>) =>
      new Promise<boolean>((resolve) =>
        setAsked({
          ...question,
          answer: (agreed) => {
            setAsked(null);
            resolve(agreed);
          },
        }),
      );
    try {
      const preview = await previewTariffs({ changes: [{ id: seen?.id ?? null, tariff: written }, ...earlier] });
      return preview.months.length === 0 || (await answer({ preview, error: null }));
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) throw error;
      return answer({ preview: null, error });
    }
  };

  /** Call it once the wrong field is marked. */
  const focusWrong = () =>
    setTimeout(() =>
      document.getElementById(formId)?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')?.focus(),
    );
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    setIsChecked(true);
    dialog.onSubmit(event);
    if (!areRight) focusWrong();
  };

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
                  periods: JSON.stringify(values.periods) !== JSON.stringify(started.periods),
                  prices: priceFields.some((field) => values[field] !== started[field]),
                }}
                onTemplate={(periods) => {
                  form.setFieldValue('periods', periods);
                  setStarted({ ...values, periods });
                }}
                onCopy={(copied) => {
                  const theirs = draftOf(copied, separator);
                  const { effectiveFrom, effectiveTo, isActive } = values;
                  const name = values.name.trim() === '' ? theirs.name : values.name;
                  const own = { ...theirs, effectiveFrom, effectiveTo, isActive, name };
                  form.setValues(own);
                  setStarted(own);
                }}
              />
            )}
            <TariffFields form={form} {...inputs} />
            {replaced !== null && (
              <ReplacedVersion
                tariff={replaced}
                firstDay={values.effectiveFrom}
                isEnded={endsEarlier}
                onChange={setEndsEarlier}
              />
            )}
          </Panel>
          <WeekPanel
            bands={values.periods}
            onChange={(periods) => form.setFieldValue('periods', periods)}
            currency={values.currency}
            defaultRate={terms === null ? '' : format.pricePerKwh(terms.defaultRatePerKwh, terms.currency)}
            isChecked={isChecked}
          />
        </form>
        <Calculator terms={areRight ? terms : null} municipality={municipality} />
        <div className={`${classes.bar} screen-only`} data-bottom-bar>
          <FormError>{dialog.refusal ?? (isChecked && !areRight ? t('bandsWrong') : null)}</FormError>
          <div className={classes.buttons}>
            {isDirty && <span className={classes.unsaved}>{tAll('terms.notSavedYet')}</span>}
            <Button variant="default" onClick={() => void navigate({ to: '/settings/rates' })}>
              {tAll('common.cancel')}
            </Button>
            <Button type="submit" form={formId} loading={dialog.isPending}>
              {ended === null ? dialog.submitLabel : t('createAndEnd')}
            </Button>
          </div>
        </div>
      </div>
      <TariffChangesDialog asked={asked} />
      <UnsavedGuard isDirty={isDirty} />
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

/** The effect of a tariff that is about to be stored, or the reason why the effect is unknown. */
interface AskedChanges {
  preview: CostPreview | null;
  error: unknown;
  answer: (agreed: boolean) => void;
}

/** Before a tariff is stored, shows how it changes past months. */
function TariffChangesDialog({ asked }: { asked: AskedChanges | null }) {
  const t = useTranslations('costChanges');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  const refuse = () => asked?.answer(false);
  return (
    <Dialog opened={asked !== null} onClose={refuse} title={t('title')} size="md">
      {asked !== null && (
        <>
          {asked.preview === null ? (
            <Text>{t('failed', { reason: errorText(asked.error) })}</Text>
          ) : (
            <CostChanges preview={asked.preview} />
          )}
          <Group justify="flex-end" gap="xs" mt="md">
            <Button variant="default" onClick={refuse}>
              {tCommon('unsaved.stay')}
            </Button>
            <Button data-autofocus onClick={() => asked.answer(true)}>
              {t(asked.preview === null ? 'saveAnyway' : 'save')}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}
