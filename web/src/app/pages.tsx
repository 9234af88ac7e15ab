import type { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { createAppRouter, type AppRouter } from './router.tsx';

/** So long the code and the first answers of the first page may take before what is there is drawn. */
const patienceMs = 300;

/** The pages behind sign-in, beginning with that of the window's address, which is drawn once where all it needs comes soon. */
export async function createPages(queryClient: QueryClient): Promise<ComponentType> {
  const router = createAppRouter(queryClient);
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  // The router asks again, and says what is wrong.
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
