import { charts } from './charts.ts';
import { dashboards } from './dashboards.ts';
import { devicePicker } from './device-picker.ts';
import { measurements } from './measurements.ts';
import { municipality } from './municipality.ts';
import { numbers } from './numbers.ts';
import { palette } from './palette.ts';
import { quality } from './quality.ts';
import { rates } from './rates.ts';
import { report } from './report.ts';
import { settings } from './settings.ts';
import { sites } from './sites.ts';
import type { Messages, Translated } from '../message-types.ts';

export const pages: Translated<Messages> = {
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
