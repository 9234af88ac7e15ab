import { charts } from './fr/charts.ts';
import { common } from './fr/common.ts';
import { dashboard } from './fr/dashboard.ts';
import { dashboards } from './fr/dashboards.ts';
import { devicePicker } from './fr/device-picker.ts';
import { errors } from './fr/errors.ts';
import { measurements } from './fr/measurements.ts';
import { municipality } from './fr/municipality.ts';
import { palette } from './fr/palette.ts';
import { quality } from './fr/quality.ts';
import { rates } from './fr/rates.ts';
import { report } from './fr/report.ts';
import { secondFactor } from './fr/second-factor.ts';
import { settings } from './fr/settings.ts';
import { shell } from './fr/shell.ts';
import { signIn } from './fr/sign-in.ts';
import { sites } from './fr/sites.ts';
import type { Messages, Translated } from './catalogue.ts';

export const fr: Translated<Messages> = {
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
