import type { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { createAppRouter, type AppRouter } from './router.tsx';

/** If the code and the first answers of the first page take longer than this, an incomplete page is drawn. */
const patienceMs = 300;

/**
 * The pages behind sign-in, starting with the current URL. If everything that the first page needs arrives soon, the page is
 * drawn only once.
 */
export async function createPages(queryClient: QueryClient): Promise<ComponentType> {
  const router = createAppRouter(queryClient);
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  // The router requests the page again and shows the error.
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
  await Promise.race([ready(router), new Promise((resolve) => setTimeout(resolve, patienceMs))]);
  return () => <RouterProvider router={router} />;
}

async function ready(router: AppRouter): Promise<void> {
  await router.load();
  for (const { loaderData = {} } of router.state.matches) {
    if ('firstAnswers' in loaderData) await loaderData.firstAnswers;
  }
}
