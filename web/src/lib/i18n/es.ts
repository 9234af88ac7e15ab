import { charts } from './es/charts.ts';
import { common } from './es/common.ts';
import { dashboard } from './es/dashboard.ts';
import { dashboards } from './es/dashboards.ts';
import { devicePicker } from './es/device-picker.ts';
import { errors } from './es/errors.ts';
import { measurements } from './es/measurements.ts';
import { municipality } from './es/municipality.ts';
import { palette } from './es/palette.ts';
import { quality } from './es/quality.ts';
import { rates } from './es/rates.ts';
import { report } from './es/report.ts';
import { secondFactor } from './es/second-factor.ts';
import { settings } from './es/settings.ts';
import { shell } from './es/shell.ts';
import { signIn } from './es/sign-in.ts';
import { sites } from './es/sites.ts';
import type { Messages, Translated } from './catalogue.ts';

export const es: Translated<Messages> = {
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
