import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useSuspenseQuery, infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type AuditEvent, type AuditSubjectKind, auditSubjectKinds, auditPage } from '../../../../../shared/audit.ts';
import { appInfoQuery } from '../../../lib/app-info.ts';
import { anyDay, type DayRange, DayRangeFields, instantsOf } from '../../../ui/DayRange.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { useDialog } from '../../../ui/DialogForm.tsx';
import classes from './AuditSection.module.css';
import { useAuditWords } from './use-audit-words.ts';
import { fetchJson } from '../../../lib/http.ts';
import { type AuditChange, changesOf, inWords } from './audit-values.ts';
import { useDisplayZone } from '../../../lib/current-user.ts';

/** The filters; '' and null match everything. */
interface AuditSearch extends DayRange {
  text: string;
  subjectKind: AuditSubjectKind | null;
}

const noSearch: AuditSearch = { text: '', subjectKind: null, ...anyDay };

/** `GET /api/admin/audit`, page by page. */
const auditQuery = (search: AuditSearch, timeZone: string) => {
  const query = {
    text: search.text.trim(),
    subjectKind: search.subjectKind,
    ...instantsOf(search, timeZone),
  };
  return infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal, pageParam }) =>
      fetchJson('/api/admin/audit', auditPage, { signal, query: { ...query, cursor: pageParam } }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }): AuditEvent[] => pages.flatMap(({ events }) => events),
    placeholderData: keepPreviousData,
  });
};

/** Who did what, when and from where, the newest first. */
export function AuditSection() {
  const t = useTranslations('settings.audit');
  const title = useTranslations('sections')('audit');
  const zone = useDisplayZone();
  const [search, setSearch] = useState(noSearch);
  const [settled] = useDebouncedValue(search, 300);
  const events = useInfiniteQuery(auditQuery(settled, zone));
  const shown = useDialog<AuditEvent>();
  const { action } = useAuditWords();
  const isFiltered = Object.values(settled).some((value) => value !== '' && value !== null);

  return (
    <Panel flush title={title} description={t('description')}>
      <Filters search={search} onChange={setSearch} />
      <Loaded queries={[events]} skeleton={<RowsSkeleton rows={10} isInset />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              icon={<IconHistory size={22} stroke={1.75} />}
              title={t(isFiltered ? 'nothingTitle' : 'emptyTitle')}
              {...(isFiltered && {
                action: (
                  <Button variant="default" onClick={() => setSearch(noSearch)}>
                    {t('everyFilterOff')}
                  </Button>
                ),
              })}
            >
              {t(isFiltered ? 'nothingText' : 'emptyText')}
            </EmptyState>
          ) : (
            <EventTable events={data} onOpen={shown.open} />
          )
        }
      </Loaded>
      {events.hasNextPage && (
        <div className={`${classes.more} screen-only`}>
          <Button variant="default" loading={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
            {t('older')}
          </Button>
        </div>
      )}
      <Dialog
        opened={shown.isOpen}
        onClose={shown.close}
        size="lg"
        title={shown.subject === null ? '' : action(shown.subject)}
      >
        {shown.subject !== null && <AuditDetails event={shown.subject} />}
      </Dialog>
    </Panel>
  );
}

/** Kinds that only one run mode has. */
const onlyIn: Partial<Record<AuditSubjectKind, 'Client' | 'Admin'>> = {
  customer: 'Admin',
  'api-key': 'Client',
  municipality: 'Client',
  tariff: 'Client',
  site: 'Client',
  device: 'Client',
  push: 'Client',
};

function Filters({ search, onChange }: { search: AuditSearch; onChange: (search: AuditSearch) => void }) {
  const t = useTranslations('settings.audit');
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const kinds = auditSubjectKinds.filter((kind) => (onlyIn[kind] ?? runMode) === runMode);
  return (
    <div className={`${classes.filters} screen-only`} role="search">
      <TextInput
        type="search"
        label={t('search')}
        maxLength={200}
        leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
        value={search.text}
        onChange={(event) => onChange({ ...search, text: event.currentTarget.value })}
      />
      <Select
        label={t('kind')}
        placeholder={t('allKinds')}
        clearable
        data={kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))}
        value={search.subjectKind}
        onChange={(value) => onChange({ ...search, subjectKind: kinds.find((kind) => kind === value) ?? null })}
      />
      <DayRangeFields
        range={search}
        onChange={(days) => onChange({ ...search, ...days })}
        labels={{ from: t('from'), to: t('to') }}
      />
    </div>
  );
}

function EventTable({ events, onOpen }: { events: readonly AuditEvent[]; onOpen: (event: AuditEvent) => void }) {
  const t = useTranslations('settings.audit');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const title = useTranslations('sections')('audit');
  const { action, subject, who, where, when } = useAuditWords();
  const columns: Column<AuditEvent>[] = [
    {
      id: 'what',
      header: t('columns.what'),
      kind: 'name',
      renderCell: (event) => (
        <span className={classes.what}>
          <span className={classes.action}>{action(event)}</span>
          <span className={classes.subject}>{subject(event)}</span>
        </span>
      ),
    },
    { id: 'who', header: t('columns.who'), renderCell: who },
    {
      id: 'when',
      header: tTerms('when'),
      renderCell: (event) => <time dateTime={event.occurredAt}>{when(event)}</time>,
    },
    { id: 'where', header: t('columns.where'), renderCell: where },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (event) => (
        <Button
          variant="subtle"
          size="compact-sm"
          aria-label={t('detailsOf', { action: action(event), when: when(event) })}
          onClick={() => onOpen(event)}
        >
          {t('details')}
        </Button>
      ),
    },
  ];
  return <ResponsiveTable label={title} columns={columns} rows={events} rowKey={({ id }) => id} />;
}

/** Everything known about an event: who, when, from where, and each field before and after. */
function AuditDetails({ event }: { event: AuditEvent }) {
  const t = useTranslations('settings.audit');
  const tTerms = useTranslations('terms');
  const tConflict = useTranslations('conflict');
  const { words, subject, who, where, when } = useAuditWords();
  const facts = [
    [t('kind'), subject(event)],
    [t('columns.who'), who(event)],
    [tTerms('when'), when(event)],
    [t('columns.where'), where(event)],
    [t('event'), event.id],
  ] as const;
  const columns: Column<AuditChange>[] = [
    { id: 'field', header: tConflict('field'), kind: 'name', renderCell: ({ field }) => words.fieldName(field) },
    {
      id: 'before',
      header: tTerms('before'),
      renderCell: ({ field, before }) => <span className={classes.value}>{inWords(field, before, words)}</span>,
    },
    {
      id: 'after',
      header: tTerms('after'),
      renderCell: ({ field, after }) => <span className={classes.value}>{inWords(field, after, words)}</span>,
    },
  ];
  const changes = changesOf(event);
  return (
    <>
      <dl className={classes.facts}>
        {facts.map(([name, value]) =>
          value === null ? null : [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>],
        )}
      </dl>
      {changes.length === 0 ? (
        <p>{t('nothingDiffers')}</p>
      ) : (
        <ResponsiveTable label={t('changes')} columns={columns} rows={changes} rowKey={({ field }) => field} />
      )}
    </>
  );
}
