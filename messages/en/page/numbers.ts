import { dashboard } from './dashboard.ts';
import { terms } from './terms.ts';

/** What the Overview's first numbers say, before the texts of the pages have come. */
export const numbers = { dashboard, terms };
