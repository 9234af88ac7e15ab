import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { type DashboardSummary, usualDaysMax } from '../../../../../shared/dashboard.ts';
import { countStates, type DeviceState } from '../../../../../shared/states.rules.ts';
import { dayMs } from '../../../../../shared/time.ts';
import type { TimeRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { StatusChip, type StatusTone } from '../../../ui/StatusChip.tsx';
import type { Comparison } from '../queries.ts';
import { FigureButton } from './Figure.tsx';
import { hasUsual, minWeeks, tooNewIn, usualDifference } from './usual.ts';
import classes from './Tiles.module.css';

interface VerdictProps {
  range: TimeRange;
  summary: DashboardSummary;
  /** Undefined while the comparison loads; null if there is nothing to compare with. */
  comparison: Comparison | null | undefined;
}

/** Whether the range, or its elapsed part, used as much energy as usual. Space is reserved until this is known. */
export function Verdict(props: VerdictProps) {
  const t = useTranslations('dashboard.status');
  const verdict = useVerdict(props);
  if (verdict === null) return <p className={classes.verdict} aria-hidden />;
  const { kind, text } = verdict;
  const tone = kind === null ? 'quiet' : kind === 'normal' ? 'good' : 'warn';
  return (
    <p className={classes.verdict} data-tone={tone}>
      <StatusChip tone={tone}>{kind === null ? text : t(kind)}</StatusChip>
      {kind !== null && <span>{text}</span>}
    </p>
  );
}

function useVerdict({ range, summary, comparison }: VerdictProps) {
  const t = useTranslations('dashboard');
  const format = useFormat();
  const none = (text: string) => ({ kind: null, text });
  if (!hasUsual(range)) return none(t('status.tooLong', { days: usualDaysMax }));
  if (comparison === undefined) return null;
  if (comparison === null) return none(t('change.notBegun'));
  if (comparison.isEmpty) return none(t('change.nothingYet'));
  const { usual, ranges, current } = comparison;
  const few = none(t('status.fewWeeks', { weeks: minWeeks }));
  if (usual === null || usual.energy === null) return few;
  const { count, isMuch } = tooNewIn(usual, current ?? summary);
  if (isMuch) return none(t('usual.unknown', { count }));
  const difference = usualDifference(usual, current ?? summary, ranges.isWhole);
  if (difference === null) return few;
  const { share, weekCount: weeks, verdict: kind } = difference;
  const isDay = usual.fromDate !== null && usual.toDate !== null && isNextDay(usual.fromDate, usual.toDate);
  const sentence = t.rich(`usual.${share === 0 ? 'same' : share > 0 ? 'above' : 'below'}${isDay ? 'Day' : 'Range'}`, {
    b: emphasize,
    share: format.percent(Math.abs(share)),
    what: isDay ? format.weekdayName(`${usual.fromDate}T00:00:00Z`, 'UTC') : '',
    weeks,
    soFar: ranges.isWhole || usual.fromDate === null ? 'no' : 'yes',
  });
  return { kind, text: count === 0 ? sentence : [sentence, ', ', t('usual.without', { count })] };
}

const isNextDay = (day: string, next: string) => Date.parse(next) - Date.parse(day) === dayMs;
const emphasize = (text: ReactNode) => <b>{text}</b>;

interface StatusStripProps extends VerdictProps {
  /** The state of each device by its id. */
  states: ReadonlyMap<string, DeviceState>;
  timeZone: string;
  /** Shows the devices in a state. */
  onState: (state: DeviceState) => void;
  /** The link to one device. */
  deviceLink: (device: SummedDevice, text: string) => ReactNode;
  /** Further problems, each an `li`. */
  children?: ReactNode;
}

type SummedDevice = DashboardSummary['devices'][number];

const namedDevices = 2;
const others = [
  ['late', 'lateCount'],
  ['never', 'withoutData'],
] as const;

/** Shown before the figures. It answers: is the range normal, and is anything wrong now? */
export function StatusStrip(props: StatusStripProps) {
  const { summary, states, timeZone, onState, deviceLink, children } = props;
  const t = useTranslations('dashboard.status');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const counts = countStates(states.values());
  const { live, late, never } = counts;
  const offline = summary.devices
    .filter(({ deviceId }) => states.get(deviceId) === 'offline')
    .toSorted((a, b) => Date.parse(a.lastMeasuredAt ?? '') - Date.parse(b.lastMeasuredAt ?? ''));
  const [first] = offline;
  const { length: count } = offline;
  const named = offline.slice(0, count > namedDevices + 1 ? namedDevices : count).map(({ deviceName }) => deviceName);
  const names = named.length < count ? [...named, t('more', { count: count - named.length })] : named;
  const time = format.dateTime(first?.lastMeasuredAt ?? 0, timeZone);
  const text = t('offline', { count, time, names: format.list(names) });
  return (
    <section className={`${classes.strip} screen-only`} aria-label={t('title')}>
      <Verdict {...props} />
      <ul className={classes.troubles}>
        {first !== undefined && (
          <Trouble tone="warn">
            {count === 1 ? (
              deviceLink(first, text)
            ) : (
              <FigureButton isWarning onClick={() => onState('offline')}>
                {text}
              </FigureButton>
            )}
          </Trouble>
        )}
        {others.map(
          ([state, text]) =>
            counts[state] > 0 && (
              <Trouble key={state} tone="quiet">
                <FigureButton onClick={() => onState(state)}>{tTerms(text, { count: counts[state] })}</FigureButton>
              </Trouble>
            ),
        )}
        {count + late + never === 0 && (
          <Trouble tone={live === 0 ? 'quiet' : 'good'}>{t('online', { count: live })}</Trouble>
        )}
        {children}
      </ul>
    </section>
  );
}

/** One entry of the strip: a problem, with a link to it. */
function Trouble({ tone, children }: { tone: StatusTone; children: ReactNode }) {
  return (
    <li>
      <StatusChip tone={tone}>{children}</StatusChip>
    </li>
  );
}
