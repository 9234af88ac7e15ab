import { charts } from './es/charts.ts';
import { dashboards } from './es/dashboards.ts';
import { devicePicker } from './es/device-picker.ts';
import { measurements } from './es/measurements.ts';
import { municipality } from './es/municipality.ts';
import { numbers } from './es/numbers.ts';
import { palette } from './es/palette.ts';
import { quality } from './es/quality.ts';
import { rates } from './es/rates.ts';
import { report } from './es/report.ts';
import { settings } from './es/settings.ts';
import { sites } from './es/sites.ts';
import type { Messages, Translated } from './message-types.ts';

export const es: Translated<Messages> = {
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
