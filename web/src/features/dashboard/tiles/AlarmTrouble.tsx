import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { maxListedAlarms } from '../../../../../shared/alarms.ts';
import { alarmText, useAlarmFigure, useAlarmTexts } from '../../../entities/alarm-words.ts';
import { bySeverity, openAlarmsQuery, severityTones } from '../../../entities/alarms.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';

/**
 * The unacknowledged alarms. Alarms of devices that are not chosen, and of offline devices, are left out; the strip shows
 * offline devices anyway. Loaded after the first paint.
 */
export function AlarmTrouble({ chosen }: { chosen: { has: (deviceId: string) => boolean } }) {
  const t = useTranslations('dashboard.status');
  const format = useFormat();
  const { figure } = useAlarmFigure();
  const texts = useAlarmTexts().data;
  const open = useQuery(openAlarmsQuery).data ?? [];
  const [first, ...others] = bySeverity(open).filter(
    ({ state, kind, subject }) =>
      state === 'firing' && kind !== 'offline' && (subject.kind !== 'device' || chosen.has(subject.id ?? '')),
  );
  if (first === undefined || texts === undefined) return null;
  const text = alarmText(first, figure(first.value, first.unit), texts);
  return (
    // This part arrives later than the others. It takes the remaining space, and text that does not fit is cut off.
    <li data-late>
      <StatusChip tone={severityTones[first.severity]}>
        <LinkAnchor to="/alarms" inherit className="one-line">
          {others.length === 0
            ? text
            : format.list([text, open.length < maxListedAlarms ? t('more', { count: others.length }) : '…'])}
        </LinkAnchor>
      </StatusChip>
    </li>
  );
}
