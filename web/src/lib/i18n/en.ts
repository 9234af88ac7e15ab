import { charts } from './en/charts.ts';
import { common } from './en/common.ts';
import { dashboard } from './en/dashboard.ts';
import { dashboards } from './en/dashboards.ts';
import { devicePicker } from './en/device-picker.ts';
import { errors } from './en/errors.ts';
import { measurements } from './en/measurements.ts';
import { municipality } from './en/municipality.ts';
import { palette } from './en/palette.ts';
import { quality } from './en/quality.ts';
import { rates } from './en/rates.ts';
import { report } from './en/report.ts';
import { secondFactor } from './en/second-factor.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { signIn } from './en/sign-in.ts';
import { sites } from './en/sites.ts';

export const en = {
  charts,
  common,
  dashboard,
  dashboards,
  devicePicker,
  errors,
  measurements,
  municipality,
  palette,
  quality,
  rates,
  report,
  secondFactor,
  settings,
  shell,
  signIn,
  sites,
};
