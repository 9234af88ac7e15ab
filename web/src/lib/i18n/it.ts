import { charts } from './it/charts.ts';
import { dashboards } from './it/dashboards.ts';
import { devicePicker } from './it/device-picker.ts';
import { measurements } from './it/measurements.ts';
import { municipality } from './it/municipality.ts';
import { numbers } from './it/numbers.ts';
import { palette } from './it/palette.ts';
import { quality } from './it/quality.ts';
import { rates } from './it/rates.ts';
import { report } from './it/report.ts';
import { settings } from './it/settings.ts';
import { sites } from './it/sites.ts';
import type { Messages, Translated } from './message-types.ts';

export const it: Translated<Messages> = {
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
