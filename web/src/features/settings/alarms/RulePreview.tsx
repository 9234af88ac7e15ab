import { Alert, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import {
  type AlarmPreviewEvent,
  alarmPreviewEvent,
  kindsWithPreview,
  previewDaysOf,
} from '../../../../../shared/alarms.ts';
import { useAlarmFigure } from '../../../entities/alarm-words.ts';
import { alarmRulesPath } from '../../../entities/alarms.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { fetchJson } from '../../../lib/http.ts';
import { useDisplayZone } from '../../../lib/current-user.ts';
import { dayMs, toInstant } from '../../../../../shared/time.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { ListTable } from '../../../ui/ListTable.tsx';
import type { Column } from '../../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { instantOf } from '../../../ui/sorted-rows.ts';
import type { RuleDraft } from './rule-values.ts';
import classes from '../section.module.css';

/** How long an edited rule must stay unchanged before the portal is asked. */
const restMs = 600;

interface RulePreviewProps {
  /** Null while it is incomplete. */
  rule: RuleDraft | null;
}

/** When the edited rule would have fired in the past. */
export function RulePreview({ rule }: RulePreviewProps) {
  const t = useTranslations('alarmRules.preview');
  const errorText = useErrorText();
  // The name and the recipients of the rule do not change the preview.
  const asked = rule === null ? null : JSON.stringify({ ...rule, name: rule.kind, recipients: [], escalation: null });
  const [rested] = useDebouncedValue(asked, restMs);
  const days = previewDaysOf(rule?.kind ?? '');
  const hasPreview = rule !== null && kindsWithPreview.includes(rule.kind);
  const preview = useQuery({
    queryKey: ['alarm-preview', rested],
    queryFn: ({ signal }) => {
      const toMs = Date.now();
      const range = { from: toInstant(toMs - days * dayMs), to: toInstant(toMs) };
      const json = { rule: JSON.parse(rested ?? 'null'), ...range };
      return fetchJson(`${alarmRulesPath}/preview`, z.array(alarmPreviewEvent), { method: 'POST', json, signal });
    },
    enabled: hasPreview && rested !== null,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  });
  return (
    <section aria-label={t('title')}>
      <h3 className={classes.subheading}>{t('title')}</h3>
      {rule === null || !hasPreview ? (
        <Text size="sm" c="dimmed">
          {rule === null ? t('incomplete') : t('noneOfKind')}
        </Text>
      ) : preview.isError ? (
        <Alert color="yellow">{errorText(preview.error)}</Alert>
      ) : preview.data === undefined ? (
        <RowsSkeleton rows={1} />
      ) : (
        <div className="until-answered" data-stale={preview.isPlaceholderData || rested !== asked}>
          <Text role="status">{t('count', { count: preview.data.length, days })}</Text>
          {preview.data.length > 0 && <Events events={preview.data.toReversed()} />}
        </div>
      )}
    </section>
  );
}

function Events({ events }: { events: readonly AlarmPreviewEvent[] }) {
  const t = useTranslations('alarms');
  const format = useFormat();
  const tPreview = useTranslations('alarmRules.preview');
  const { figure, duration } = useAlarmFigure();
  const zone = useDisplayZone();
  const columns: Column<AlarmPreviewEvent>[] = [
    {
      id: 'subject',
      header: t('columns.alarm'),
      kind: 'name',
      sortBy: ({ subject }) => subject.name,
      renderCell: ({ subject }) => subject.name,
    },
    {
      id: 'start',
      header: t('columns.start'),
      sortBy: ({ firingAt }) => instantOf(firingAt),
      renderCell: ({ firingAt }) => <span className="figures">{format.dateTime(firingAt, zone)}</span>,
    },
    {
      id: 'lasted',
      header: t('columns.lasted'),
      renderCell: ({ firingAt, resolvedAt }) =>
        resolvedAt === null ? tPreview('open') : duration((Date.parse(resolvedAt) - Date.parse(firingAt)) / 1000),
    },
    {
      id: 'value',
      header: t('columns.value'),
      align: 'end',
      renderCell: ({ value, unit }) => <span className="figures">{figure(value, unit)}</span>,
    },
  ];
  return (
    <ListTable
      label={tPreview('title')}
      columns={columns}
      rows={events}
      rowKey={({ subject, firingAt }) => `${subject.id} ${firingAt}`}
      stepRows={5}
    />
  );
}
