import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { z } from 'zod';
import { portalTimeZone } from '../../../../../shared/accounts.ts';
import { currentUserQuery } from '../../../lib/current-user.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { fetchJson } from '../../../lib/http.ts';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { TimeZoneSelect } from '../../../ui/TimeZoneSelect.tsx';

const path = '/api/admin/time-zone';
const zoneQuery = queryOptions({
  queryKey: ['portal-time-zone'],
  queryFn: ({ signal }) => fetchJson(path, portalTimeZone, { signal }),
});

/** The time zone of users without a choice of their own. */
export function TimeZonePanel() {
  const t = useTranslations('settings.branding.timeZone');
  const title = useTranslations('terms')('timeZone');
  const errorText = useErrorText();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (json: z.infer<typeof portalTimeZone>) => fetchJson(path, portalTimeZone, { method: 'PUT', json }),
    onSuccess: (saved) => {
      client.setQueryData(zoneQuery.queryKey, saved);
      notifications.show({ color: 'green', message: t('saved') });
      return client.invalidateQueries(currentUserQuery);
    },
    onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
  });
  return (
    <Panel title={title}>
      <Loaded queries={[useQuery(zoneQuery)]} skeleton={<RowsSkeleton rows={1} />}>
        {({ timeZone }) => (
          <TimeZoneSelect
            label={title}
            description={t('hint')}
            none={t('automatic')}
            value={timeZone ?? ''}
            disabled={save.isPending}
            onChange={(chosen) => save.mutate({ timeZone: chosen === '' ? null : chosen })}
          />
        )}
      </Loaded>
    </Panel>
  );
}
