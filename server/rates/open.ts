import { simulationRoutes } from './simulation.routes.ts';
import { municipalityRoutes, tariffRoutes } from './tariffs.routes.ts';

/** Tariffs and their municipalities. */
export const rateRoutes = [municipalityRoutes, tariffRoutes, simulationRoutes];
