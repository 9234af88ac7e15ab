import { alarms } from './alarms.ts';
import { charts } from './charts.ts';
import { compare } from './compare.ts';
import { conflict } from './conflict.ts';
import { dashboards } from './dashboards.ts';
import { devicePicker } from './device-picker.ts';
import { firstSteps } from './first-steps.ts';
import { measurements } from './measurements.ts';
import { municipality } from './municipality.ts';
import { panels } from './panels.ts';
import { palette } from './palette.ts';
import { passwordLinks } from './password-links.ts';
import { quality } from './quality.ts';
import { rates } from './rates.ts';
import { report } from './report.ts';
import { settings } from './settings.ts';
import { sites } from './sites.ts';

/** What the pages behind sign-in say besides the first numbers. */
export const pages = {
  alarms,
  charts,
  compare,
  conflict,
  dashboards,
  devicePicker,
  firstSteps,
  measurements,
  municipality,
  palette,
  passwordLinks,
  panels,
  quality,
  rates,
  report,
  settings,
  sites,
};
