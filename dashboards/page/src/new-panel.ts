import { usePlugin, usePluginRegistry } from '@perses-dev/plugin-system';

/** Whether the plugin of new panels still loads. A panel that is added before then has no type, and Perses gives it none later. */
export function useIsNewPanelLoading(): boolean {
  const { defaultPluginKinds } = usePluginRegistry();
  return usePlugin('Panel', defaultPluginKinds?.Panel ?? '').isLoading;
}
