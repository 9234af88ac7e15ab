import { charts } from './fr/charts.ts';
import { dashboards } from './fr/dashboards.ts';
import { devicePicker } from './fr/device-picker.ts';
import { measurements } from './fr/measurements.ts';
import { municipality } from './fr/municipality.ts';
import { numbers } from './fr/numbers.ts';
import { palette } from './fr/palette.ts';
import { quality } from './fr/quality.ts';
import { rates } from './fr/rates.ts';
import { report } from './fr/report.ts';
import { settings } from './fr/settings.ts';
import { sites } from './fr/sites.ts';
import type { Messages, Translated } from './message-types.ts';

export const fr: Translated<Messages> = {
  ...numbers,
  charts,
  dashboards,
  devicePicker,
  measurements,
  municipality,
  palette,
  quality,
  rates,
  report,
  settings,
  sites,
};
