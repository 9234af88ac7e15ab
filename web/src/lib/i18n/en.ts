import { charts } from './en/charts.ts';
import { dashboards } from './en/dashboards.ts';
import { devicePicker } from './en/device-picker.ts';
import { measurements } from './en/measurements.ts';
import { municipality } from './en/municipality.ts';
import { numbers } from './en/numbers.ts';
import { palette } from './en/palette.ts';
import { quality } from './en/quality.ts';
import { rates } from './en/rates.ts';
import { report } from './en/report.ts';
import { settings } from './en/settings.ts';
import { sites } from './en/sites.ts';

export const en = {
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
