import { alarms } from './alarms.ts';
import { charts } from './charts.ts';
import { dashboards } from './dashboards.ts';
import { devicePicker } from './device-picker.ts';
import { measurements } from './measurements.ts';
import { municipality } from './municipality.ts';
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
  dashboards,
  devicePicker,
  measurements,
  municipality,
  palette,
  passwordLinks,
  quality,
  rates,
  report,
  settings,
  sites,
};
