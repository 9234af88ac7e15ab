import { DashboardBuilder, QueryVariableBuilder, VariableRefresh } from '@grafana/grafana-foundation-sdk/dashboard';
import { dataSource } from './panels.ts';

/** A dashboard with the variables that all of them have; devices are those of the chosen sites. */
export const dashboardOf = (uid: string, title: string, description: string): DashboardBuilder =>
  new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['portal'])
    // That of the stack (Application__TimeZone).
    .timezone('')
    .time({ from: 'now-7d/d', to: 'now' })
    .refresh('1m')
    .editable()
    .withVariable(
      variable('site', 'Site', 'SELECT name AS "__text", id::text AS "__value" FROM reporting.sites() ORDER BY name'),
    )
    .withVariable(
      variable(
        'device',
        'Device',
        `SELECT label AS "__text", id::text AS "__value" FROM reporting.devices()
WHERE site_id = ANY (array_remove(ARRAY[$site]::text[], '')::uuid[]) ORDER BY lower(label), label`,
      ),
    );

const variable = (name: string, label: string, query: string) =>
  new QueryVariableBuilder(name)
    .label(label)
    .datasource(dataSource)
    .query(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .multi(true)
    .includeAll(true)
    .allowCustomValue(false)
    .current({ selected: true, text: ['All'], value: ['$__all'] });
