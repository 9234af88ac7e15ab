import type { Translated } from '../catalogue.ts';
import type { sites as english } from '../en/sites.ts';

export const sites: Translated<typeof english> = {
  title: 'Standorte',
};
