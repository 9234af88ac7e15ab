import { Badge, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ConfigEntry } from '../../../../shared/app.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { groupConfig, shortName, type ConfigGroup, configQuery } from './config-groups.ts';
import classes from './ConfigurationSection.module.css';

/** The settings with which the portal was started, and the source of each. Secrets are never shown. */
export function ConfigurationSection() {
  const t = useTranslations('settings.configuration');
  const title = useTranslations('sections')('configuration');
  const config = useQuery(configQuery);
  const [search, setSearch] = useState('');

  return (
    <Panel flush title={title} description={t('description')}>
      <Loaded queries={[config]} skeleton={<RowsSkeleton rows={10} isInset />}>
        {(data) => (
          <>
            <div className={classes.search}>
              <TextInput
                type="search"
                aria-label={t('search')}
                placeholder={t('search')}
                leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
                className={classes.field}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
              <Found groups={groupConfig(data, search)} />
            </div>
            <Groups groups={groupConfig(data, search)} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Found({ groups }: { groups: readonly ConfigGroup[] }) {
  const t = useTranslations('settings.configuration');
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <span className={classes.count} role="status">
      {t('count', { count })}
    </span>
  );
}

function Groups({ groups }: { groups: readonly ConfigGroup[] }) {
  const t = useTranslations('settings.configuration');
  if (groups.length === 0) {
    return (
      <EmptyState icon={<IconSearch size={22} stroke={1.75} />} title={t('nothingTitle')}>
        {t('nothingText')}
      </EmptyState>
    );
  }
  const columns: Column<ConfigEntry>[] = [
    {
      id: 'name',
      header: t('columns.name'),
      kind: 'name',
      renderCell: ({ name }) => (
        <code className={classes.name} title={name}>
          {shortName(name)}
        </code>
      ),
    },
    {
      id: 'value',
      header: t('columns.value'),
      renderCell: (entry) => (
        <>
          <Value entry={entry} />
          {entry.warning !== undefined && (
            <span className={classes.warning}>
              <IconAlertTriangle size={15} stroke={1.75} aria-hidden />
              {t(`warnings.${entry.warning}`)}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'source',
      header: t('columns.source'),
      renderCell: ({ source }) =>
        source === 'default' ? (
          <span className={classes.dimmed}>{t('sources.default')}</span>
        ) : (
          <Badge color="secondary">{t(`sources.${source}`)}</Badge>
        ),
    },
  ];
  return groups.map(({ section, entries }) => (
    <section key={section} className={classes.group} aria-label={section}>
      <h3 className={classes.heading}>{section}</h3>
      <ResponsiveTable isHeadHidden label={section} columns={columns} rows={entries} rowKey={({ name }) => name} />
    </section>
  ));
}

function Value({ entry: { value, isSecret, isSet } }: { entry: ConfigEntry }) {
  const t = useTranslations('settings.configuration');
  if (!isSet) return <span className={classes.dimmed}>{t('notSet')}</span>;
  if (isSecret) {
    return (
      <span className={classes.secret}>
        <IconLock size={15} stroke={1.75} aria-hidden />
        {t('secretSet')}
      </span>
    );
  }
  if (value === null || value === '') return <span className={classes.dimmed}>{t('empty')}</span>;
  return <code className={classes.value}>{value}</code>;
}
