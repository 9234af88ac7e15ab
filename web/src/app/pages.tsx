import type { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { createAppRouter } from './router.tsx';

/** So long what the first page asks for may take before the page is drawn without it. */
const firstAnswersMs = 300;

/** The pages behind sign-in, beginning with that of the window's address. What it needs is there, so that it is drawn once. */
export async function createPages(queryClient: QueryClient): Promise<ComponentType> {
  const router = createAppRouter(queryClient);
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  // The router asks again, and says what is wrong.
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
  await router.load();
  const answers = router.state.matches.map(async ({ loaderData: data = {} }) =>
    'firstAnswers' in data ? data.firstAnswers : undefined,
  );
  const tooLong = new Promise((resolve) => setTimeout(resolve, firstAnswersMs));
  await Promise.race([Promise.all(answers), tooLong]);
  return () => <RouterProvider router={router} />;
}
