import { charts } from './en/charts.ts';
import { dashboard } from './en/dashboard.ts';
import { dashboards } from './en/dashboards.ts';
import { devicePicker } from './en/device-picker.ts';
import { measurements } from './en/measurements.ts';
import { municipality } from './en/municipality.ts';
import { palette } from './en/palette.ts';
import { quality } from './en/quality.ts';
import { rates } from './en/rates.ts';
import { report } from './en/report.ts';
import { settings } from './en/settings.ts';
import { sites } from './en/sites.ts';
import { terms } from './en/terms.ts';

export const en = {
  charts,
  dashboard,
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
  terms,
};
