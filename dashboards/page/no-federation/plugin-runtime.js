/** In the place of the loader of plugins from elsewhere: all come with the page, and no code of others is ever fetched. */
export const loadPlugin = async () => null;
export const usePluginRuntime = () => ({ loadPlugin });
