import { alarms } from './alarms.ts';
import { charts } from './charts.ts';
import { compare } from './compare.ts';
import { conflict } from './conflict.ts';
import { costChanges } from './cost-changes.ts';
import { dashboards } from './dashboards.ts';
import { devicePicker } from './device-picker.ts';
import { firstSteps } from './first-steps.ts';
import { measurements } from './measurements.ts';
import { municipality } from './municipality.ts';
import { palette } from './palette.ts';
import { panels } from './panels.ts';
import { passwordLinks } from './password-links.ts';
import { push } from './push.ts';
import { quality } from './quality.ts';
import { report } from './report.ts';
import { secondFactor } from './second-factor.ts';
import { sections } from './sections.ts';
import { sites } from './sites.ts';

/** What the pages behind sign-in say besides the first numbers, and besides those with texts of their own. */
export const pages = {
  alarms,
  charts,
  compare,
  conflict,
  costChanges,
  dashboards,
  devicePicker,
  firstSteps,
  measurements,
  municipality,
  palette,
  panels,
  passwordLinks,
  push,
  quality,
  report,
  secondFactor,
  sections,
  sites,
};
