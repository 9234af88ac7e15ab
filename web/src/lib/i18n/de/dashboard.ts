import type { Translated } from '../catalogue.ts';
import type { dashboard as english } from '../en/dashboard.ts';

export const dashboard: Translated<typeof english> = {
  title: 'Übersicht',
};
