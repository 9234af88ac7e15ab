import { usePlugin, usePluginRegistry } from '@perses-dev/plugin-system';

/**
 * Whether the plugin of new panels is still loading. A panel that is added before that gets no type, and Perses adds none
 * later.
 */
export function useIsNewPanelLoading(): boolean {
  const { defaultPluginKinds } = usePluginRegistry();
  return usePlugin('Panel', defaultPluginKinds?.Panel ?? '').isLoading;
}
