import { comparisonRoutes, costComparisonRoutes } from './comparison.routes.ts';
import { dashboardRoutes } from './dashboard.routes.ts';
import { dataQualityRoutes } from './data-quality.routes.ts';
import { loadCurveRoutes, usualRoutes } from './loads.routes.ts';
import { measurementRoutes } from './measurements.routes.ts';
import { rawExportRoutes } from './raw-export.routes.ts';
import { summaryExportRoutes } from './summary-export.routes.ts';

/** The reports that a Client has for itself, and an Admin for each customer. */
export const readingRoutes = [measurementRoutes, rawExportRoutes];
/** The summary, comparisons and everything else that is read from energy. */
export const reportRoutes = [
  comparisonRoutes,
  costComparisonRoutes,
  dashboardRoutes,
  summaryExportRoutes,
  loadCurveRoutes,
  usualRoutes,
  dataQualityRoutes,
];
