import { ActionIcon, Anchor, Button, Popover, UnstyledButton, TextInput } from '@mantine/core';
import { IconCalendar, IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { rangePresets, type RangePreset, fromLocalText, toLocalText } from '../../../../shared/time.ts';
import { useHasDaysOf } from '../../lib/sites.ts';
import {
  calendarDates,
  defaultPreset,
  presetOf,
  resolveTimeRange,
  searchOfRange,
  shiftRange,
  unknownRange,
  type TimeRange,
  type TimeRangeSearch,
  longestRangeMs,
} from '../../lib/time-range.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { afterPaint } from '../after-paint.ts';
import { OnEachSheet } from '../printing.tsx';
import { rangeLabel } from './range-label.ts';
import classes from './TimeRangePicker.module.css';

interface CustomRangeFormProps {
  range: TimeRange;
  timeZone: string;
  onApply: (range: TimeRange) => void;
}

/** Start and end to the minute, in the zone. */
function CustomRangeForm({ range, timeZone, onApply }: CustomRangeFormProps) {
  const t = useTranslations('common.timeRange');
  const format = useFormat();
  const [before] = useState(() => ({
    from: toLocalText(range.fromMs, timeZone),
    to: toLocalText(range.toMs, timeZone),
  }));
  const [from, setFrom] = useState(before.from);
  const [to, setTo] = useState(before.to);
  const [problem, setProblem] = useState<{ field: 'from' | 'to'; text: string } | null>(null);
  const errorOf = (field: 'from' | 'to') => (problem?.field === field ? problem.text : null);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    // A repeated time keeps its first or second occurrence until the user types another time.
    const fromMs = from === before.from ? range.fromMs : fromLocalText(from, timeZone);
    const toMs = to === before.to ? range.toMs : fromLocalText(to, timeZone);
    if (fromMs === null || toMs === null) {
      setProblem({ field: fromMs === null ? 'from' : 'to', text: t('incomplete') });
    } else if (isSkipped(from, fromMs, timeZone)) setProblem({ field: 'from', text: t('skipped') });
    else if (isSkipped(to, toMs, timeZone)) setProblem({ field: 'to', text: t('skipped') });
    else if (from < '2000') setProblem({ field: 'from', text: t('outOfReach') });
    else if (to > '2100-01-01T00:00') setProblem({ field: 'to', text: t('outOfReach') });
    else if (toMs <= fromMs) setProblem({ field: 'to', text: t('toAfterFrom') });
    else if (toMs - fromMs > longestRangeMs) setProblem({ field: 'from', text: t('tooLong') });
    else onApply({ fromMs, toMs });
  };

  return (
    <form onSubmit={submit} noValidate className={classes.custom} aria-label={t('custom')}>
      <p className={classes.heading}>{t('custom')}</p>
      <TextInput
        type="datetime-local"
        label={t('from')}
        value={from}
        error={errorOf('from')}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={t('to')}
        value={to}
        error={errorOf('to')}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <p className={classes.zone}>{t('zone', { zone: format.timeZoneName(timeZone) })}</p>
      <Button type="submit" fullWidth>
        {t('apply')}
      </Button>
    </form>
  );
}

/** Whether this local time does not exist in the zone, because the clocks skip it in spring. */
const isSkipped = (text: string, instantMs: number, timeZone: string): boolean =>
  toLocalText(instantMs, timeZone) !== text.slice(0, 16);

interface TimeRangePickerProps {
  /** The search parameters of the page. */
  search: TimeRangeSearch;
  /** The IANA zone of days and months. */
  timeZone: string;
  /** The time zone of whole days, if it differs. */
  dayZone?: string | undefined;
  /** Called with the four range parameters for the URL. Absent ones are removed from the URL. */
  onChange: (next: TimeRangeSearch) => void;
  /** Whether the page has another picker of the same range. */
  isSecond?: boolean;
  /** Whether the range in the URL cannot be shown, so that this is another range. */
  isUnknown?: boolean;
  /** Whether the time zone is named beside the picker. */
  hasZone?: boolean;
  /** The sites that the range belongs to. */
  api?: string;
}

/** Chooses the range of Dashboard and Measurements: a preset, a custom range, or one step back or forth. */
export function TimeRangePicker(props: TimeRangePickerProps) {
  const { search, timeZone, dayZone = timeZone, onChange: show, isSecond = false, hasZone = true, api } = props;
  const { isUnknown = !isSecond && search.range === unknownRange } = props;
  const t = useTranslations('common.timeRange');
  const format = useFormat();
  const nowMs = useNow(30_000);
  const [opened, setOpened] = useState(false);
  const preset = presetOf(search);
  const range = resolveTimeRange(search, timeZone, nowMs);
  const shown = preset === null ? rangeLabel(range, timeZone, format) : t(preset);
  const hasSiteDays = !useHasDaysOf(timeZone, api);
  const isDays = calendarDates(range, timeZone) !== null;
  const siteDays = hasSiteDays && isDays;
  const clock = isDays ? dayZone : timeZone;
  const zone = search.tz === undefined ? {} : { tz: search.tz };

  // Delayed, because another range redraws the whole page.
  const onChange = (next: TimeRangeSearch) => afterPaint(() => show(next));
  const choosePreset = (next: RangePreset) => {
    setOpened(false);
    onChange(next === defaultPreset ? zone : { range: next, ...zone });
  };
  const chooseRange = (next: TimeRange) => {
    setOpened(false);
    onChange({ ...searchOfRange(next, timeZone, nowMs), ...zone });
  };
  const next = shiftRange(range, 1, timeZone);
  const chosenRange: TimeRangeSearch =
    preset === null ? searchOfRange(range, timeZone, nowMs) : preset === defaultPreset ? {} : { range: preset };

  const zoneNote = (
    <p className={classes.pageZone}>
      {siteDays && `${t('siteDays')} · `}
      {t('zone', { zone: format.timeZoneName(clock) })}
      {search.tz !== undefined && (
        <Anchor
          component="button"
          type="button"
          className="screen-only"
          ms={8}
          inherit
          underline="always"
          onClick={() => onChange(chosenRange)}
        >
          {t('resetZone')}
        </Anchor>
      )}
    </p>
  );

  return (
    <div className={classes.place}>
      {!isSecond && (
        <OnEachSheet>
          {rangeLabel(range, timeZone, format)}
          {` · ${format.timeZoneName(timeZone)}`}
        </OnEachSheet>
      )}
      {isUnknown && <p className={classes.unknown}>{t('unknown', { range: shown })}</p>}
      {hasZone && zoneNote}
      <div role="group" aria-label={t('label')} className={classes.picker}>
        <ActionIcon
          variant="default"
          size={36}
          className={classes.previous}
          aria-label={t('previous')}
          onClick={() => chooseRange(shiftRange(range, -1, timeZone))}
        >
          <IconChevronLeft size={17} stroke={1.75} />
        </ActionIcon>
        <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus returnFocus width={320}>
          <Popover.Target>
            <Button
              variant="default"
              className={classes.current}
              leftSection={<IconCalendar size={16} stroke={1.75} className={classes.icon} />}
              rightSection={<IconChevronDown size={14} stroke={1.75} className={classes.icon} />}
              onClick={() => setOpened(!opened)}
            >
              {shown}
            </Button>
          </Popover.Target>
          <Popover.Dropdown p="xs">
            {!hasZone && zoneNote}
            <ul className={classes.presets}>
              {rangePresets.map((candidate) => (
                <li key={candidate}>
                  <UnstyledButton
                    className={classes.preset}
                    aria-pressed={candidate === preset}
                    onClick={() => choosePreset(candidate)}
                  >
                    {t(candidate)}
                  </UnstyledButton>
                </li>
              ))}
            </ul>
            <CustomRangeForm
              key={`${range.fromMs} ${range.toMs}`}
              range={range}
              timeZone={timeZone}
              onApply={chooseRange}
            />
          </Popover.Dropdown>
        </Popover>
        <ActionIcon
          variant="default"
          size={36}
          className={classes.next}
          aria-label={t('next')}
          // Not disabled, because a user who steps to the last range would lose the focus.
          {...(next.fromMs > nowMs
            ? { 'data-disabled': true, 'aria-disabled': true }
            : { onClick: () => chooseRange(next) })}
        >
          <IconChevronRight size={17} stroke={1.75} />
        </ActionIcon>
      </div>
    </div>
  );
}
