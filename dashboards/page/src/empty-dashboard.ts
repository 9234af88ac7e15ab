import type { ToolUser, WrittenSpec } from '../../../shared/dashboard-tool.ts';
import { allValue } from './plugins/choose.ts';
import { texts } from './texts.ts';

/** A new dashboard: no panels, but the variables that panels usually need. */
export function emptyDashboard(title: string, runMode: ToolUser['runMode']): WrittenSpec {
  const isFleet = runMode === 'Admin';
  const choice = (
    name: string,
    label: string,
    kind: 'PortalCustomers' | 'PortalSites',
    spec: Record<string, string>,
  ) => ({
    kind: 'ListVariable' as const,
    spec: {
      name,
      display: { name: label, hidden: false },
      allowMultiple: true,
      allowAllValue: true,
      customAllValue: allValue,
      defaultValue: '$__all',
      plugin: { kind, spec },
    },
  });
  return {
    display: { name: title },
    duration: 'last24h',
    variables: [
      ...(isFleet ? [choice('customer', texts.customers, 'PortalCustomers', {})] : []),
      choice('site', texts.sites, 'PortalSites', isFleet ? { customer: '$customer' } : {}),
    ],
    panels: {},
    layouts: [{ kind: 'Grid', spec: { items: [] } }],
  };
}
