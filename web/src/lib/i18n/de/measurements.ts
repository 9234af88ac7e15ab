import type { Translated } from '../catalogue.ts';
import type { measurements as english } from '../en/measurements.ts';

export const measurements: Translated<typeof english> = {
  title: 'Messwerte',
};
