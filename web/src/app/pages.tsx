import type { QueryClient } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { createAppRouter } from './router.tsx';

/** The pages behind sign-in, beginning with that of the window's address, whose code is asked for at once. */
export function createPages(queryClient: QueryClient): ComponentType {
  const router = createAppRouter(queryClient);
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  // The router asks again, and says what is wrong.
  for (const route of routes) router.loadRouteChunk(route)?.catch(() => undefined);
  return () => <RouterProvider router={router} />;
}
