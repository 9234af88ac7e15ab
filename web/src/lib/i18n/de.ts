import { charts } from './de/charts.ts';
import { common } from './de/common.ts';
import { dashboard } from './de/dashboard.ts';
import { dashboards } from './de/dashboards.ts';
import { devicePicker } from './de/device-picker.ts';
import { errors } from './de/errors.ts';
import { measurements } from './de/measurements.ts';
import { municipality } from './de/municipality.ts';
import { palette } from './de/palette.ts';
import { quality } from './de/quality.ts';
import { rates } from './de/rates.ts';
import { report } from './de/report.ts';
import { secondFactor } from './de/second-factor.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import { signIn } from './de/sign-in.ts';
import { sites } from './de/sites.ts';
import type { Messages, Translated } from './catalogue.ts';

export const de: Translated<Messages> = {
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
