import type { DatasourcePlugin } from '@perses-dev/plugin-system';

/** The one source there is: the server of this page. It has no settings, and which data it gives is decided by the server. */
export const PortalDatasource: DatasourcePlugin<Record<string, never>, Record<string, never>> = {
  createClient: () => ({}),
  createInitialOptions: () => ({}),
};
