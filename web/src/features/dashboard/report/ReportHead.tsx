import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconMail, IconPrinter } from '@tabler/icons-react';
import { useIsFetching } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useLocale, useTranslations } from 'use-intl';
import type { DeviceWithSite } from '../../../../../shared/sites.ts';
import { choiceOfDevices, isChoice, type DeviceChoice } from '../../../lib/device-choice.ts';
import { languages } from '../../../../../shared/messages.ts';
import { languageName } from '../../../lib/i18n/language.ts';
import { useHasDaysOf } from '../../../lib/sites.ts';
import { unknownRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { DevicePicker } from '../../../entities/DevicePicker.tsx';
import { LinkButton } from '../../../ui/LinkButton.tsx';
import { OnEachSheet } from '../../../ui/printing.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { groupInstant } from '../../../../../shared/charts/bars.ts';
import classes from './Report.module.css';
import { choices, isYear, readReportSearch, reportedSearch, shiftMonth, type ReportSearch } from './search.ts';

interface ReportHeadProps {
  search: ReportSearch;
  month: string;
  devices: readonly DeviceWithSite[];
  all: readonly DeviceWithSite[];
  timeZone: string;
  onChange: (next: ReportSearch) => void;
  onDevices: (choice: DeviceChoice) => void;
}

/** The subject of the report, a choice of other subjects, and the button for printing. */
export function ReportHead({ search, month, devices, all, timeZone, onChange, onDevices }: ReportHeadProps) {
  const t = useTranslations('report');
  const tCommon = useTranslations('common');
  const tShell = useTranslations('shell');
  const format = useFormat();
  const language = useLocale();
  const router = useRouter();
  const nowMs = useNow(60_000);
  const hasDaysOfZone = useHasDaysOf(timeZone);
  const name = useMonthName();
  const subject = useSubject(search, devices);
  const { months, years } = choices(month, timeZone, nowMs);
  const link = router.buildLocation({
    to: '/report',
    search: readReportSearch({ ...search, month, tz: timeZone, lang: language }),
  });
  // Whether parts are still loading. They would be missing on paper.
  const isComing = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  const zone = format.timeZoneName(timeZone);
  return (
    <>
      <OnEachSheet>{withDots(tShell('report'), name(month), subject)}</OnEachSheet>
      <PageHeader
        title={format.labelled(tShell('report'), name(month))}
        description={withDots(
          subject,
          hasDaysOfZone ? '' : tCommon('timeRange.siteDays'),
          tCommon('timeRange.zone', { zone }),
        )}
        actions={
          <>
            <LinkButton to="/reports" variant="default" leftSection={<IconMail size={16} stroke={1.75} aria-hidden />}>
              {t('byMail')}
            </LinkButton>
            <Button
              leftSection={<IconPrinter size={16} stroke={1.75} aria-hidden />}
              disabled={isComing}
              onClick={() => window.print()}
            >
              {t('print')}
            </Button>
          </>
        }
      />
      <div className={`${classes.controls} screen-only`}>
        <div role="group" aria-label={t('month')} className={classes.months}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('previous')}
            onClick={() => onChange({ month: shiftMonth(month, -1) })}
          >
            <IconChevronLeft size={17} stroke={1.75} />
          </ActionIcon>
          <NativeSelect
            aria-label={t('month')}
            value={month}
            data={[
              { group: t('months'), items: months.map((value) => ({ value, label: name(value) })) },
              { group: t('years'), items: years.map((value) => ({ value, label: name(value) })) },
            ]}
            onChange={(event) => onChange({ month: event.currentTarget.value })}
          />
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('next')}
            // The button is not disabled at the last month: otherwise a user who steps there would lose the focus.
            {...((isYear(month) ? years : months).some((one) => one >= shiftMonth(month, 1))
              ? { onClick: () => onChange({ month: shiftMonth(month, 1) }) }
              : { 'data-disabled': true, 'aria-disabled': true })}
          >
            <IconChevronRight size={17} stroke={1.75} />
          </ActionIcon>
        </div>
        {all.length > 1 && (
          <div className={classes.devices}>
            <DevicePicker
              isBare
              devices={all}
              chosen={{ devices, isAll: !isChoice(search) }}
              onChange={(ids) => onDevices(ids === 'all' ? {} : choiceOfDevices(new Set(ids.split(',')), all))}
            />
          </div>
        )}
        <NativeSelect
          aria-label={tShell('language')}
          value={language}
          data={languages.map((value) => ({ value, label: languageName(value) }))}
          onChange={(event) => {
            const lang = languages.find((one) => one === event.currentTarget.value);
            if (lang !== undefined) onChange({ lang });
          }}
        />
        <CopyButton
          size="sm"
          text={new URL(link.href, window.location.origin).href}
          label={tCommon('copyLinkLong')}
          caption={tCommon('copyLink')}
        />
        <LinkButton to="/dashboard" search={reportedSearch(search, month)} variant="default">
          {tShell('overview')}
        </LinkButton>
      </div>
      {search.month === unknownRange && <p>{tCommon('timeRange.unknown', { range: name(month) })}</p>}
      {devices.length === 0 && <p>{t('noDevices')}</p>}
    </>
  );
}

const reportedStart = (month: string): number => groupInstant(isYear(month) ? `${month}-01` : month);

/** The name of a month or year. */
function useMonthName(): (month: string) => string {
  const format = useFormat();
  return (month) => (isYear(month) ? format.year : format.month)(reportedStart(month), 'UTC');
}

/** The devices of the report: all sites, some of them, or some devices. */
function useSubject(choice: DeviceChoice, devices: readonly DeviceWithSite[]): string {
  const t = useTranslations('report');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const sites = [...new Set(devices.map(({ siteName }) => siteName))];
  if (!isChoice(choice)) return t('allSites', { sites: sites.length, devices: devices.length });
  if (devices.length === 0) return '';
  const named = sites.length > 3 ? tTerms('countSites', { count: sites.length }) : format.list(sites);
  if (choice.devices === undefined) return named;
  const own =
    devices.length > 3
      ? tTerms('countDevices', { count: devices.length })
      : format.list(devices.map((device) => device.name));
  return format.labelled(named, own);
}

/** Joins the parts. Empty ones are left out, such as the description of an unknown choice. */
const withDots = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' · ');
