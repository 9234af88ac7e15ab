import { charts } from './nl/charts.ts';
import { common } from './nl/common.ts';
import { dashboard } from './nl/dashboard.ts';
import { dashboards } from './nl/dashboards.ts';
import { devicePicker } from './nl/device-picker.ts';
import { errors } from './nl/errors.ts';
import { measurements } from './nl/measurements.ts';
import { municipality } from './nl/municipality.ts';
import { palette } from './nl/palette.ts';
import { quality } from './nl/quality.ts';
import { rates } from './nl/rates.ts';
import { report } from './nl/report.ts';
import { secondFactor } from './nl/second-factor.ts';
import { settings } from './nl/settings.ts';
import { shell } from './nl/shell.ts';
import { signIn } from './nl/sign-in.ts';
import { sites } from './nl/sites.ts';
import type { Messages, Translated } from './catalogue.ts';

export const nl: Translated<Messages> = {
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
