import { charts } from './de/charts.ts';
import { dashboards } from './de/dashboards.ts';
import { devicePicker } from './de/device-picker.ts';
import { measurements } from './de/measurements.ts';
import { municipality } from './de/municipality.ts';
import { numbers } from './de/numbers.ts';
import { palette } from './de/palette.ts';
import { quality } from './de/quality.ts';
import { rates } from './de/rates.ts';
import { report } from './de/report.ts';
import { settings } from './de/settings.ts';
import { sites } from './de/sites.ts';
import type { Messages, Translated } from './message-types.ts';

export const de: Translated<Messages> = {
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
