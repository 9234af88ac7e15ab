import { dashboard } from './dashboard.ts';
import { terms } from './terms.ts';

export const numbers = { dashboard, terms };
