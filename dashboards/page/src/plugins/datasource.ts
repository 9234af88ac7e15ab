import type { DatasourcePlugin } from '@perses-dev/plugin-system';

/** The only data source: the server of this page. It has no settings, and the server decides which data it returns. */
export const PortalDatasource: DatasourcePlugin<Record<string, never>, Record<string, never>> = {
  createClient: () => ({}),
  createInitialOptions: () => ({}),
};
