import { charts } from './nl/charts.ts';
import { dashboards } from './nl/dashboards.ts';
import { devicePicker } from './nl/device-picker.ts';
import { measurements } from './nl/measurements.ts';
import { municipality } from './nl/municipality.ts';
import { numbers } from './nl/numbers.ts';
import { palette } from './nl/palette.ts';
import { quality } from './nl/quality.ts';
import { rates } from './nl/rates.ts';
import { report } from './nl/report.ts';
import { settings } from './nl/settings.ts';
import { sites } from './nl/sites.ts';
import type { Messages, Translated } from './message-types.ts';

export const nl: Translated<Messages> = {
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
