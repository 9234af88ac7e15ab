import { deviceListRoute, deviceRoutes } from './devices.routes.ts';
import { reportRemarkRoutes } from './report-remarks.routes.ts';
import { siteTableRoutes } from './site-table.routes.ts';
import { siteListRoute, siteRoutes } from './sites.routes.ts';

/** The routes that a Client has for itself, and an Admin for each customer. */
export const siteListRoutes = [siteListRoute, deviceListRoute];
/** Sites and their devices. */
export const ownSiteRoutes = [siteRoutes, siteTableRoutes, deviceRoutes, reportRemarkRoutes];
