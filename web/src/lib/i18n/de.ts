import { charts } from './de/charts.ts';
import { common } from './de/common.ts';
import { dashboard } from './de/dashboard.ts';
import { errors } from './de/errors.ts';
import { measurements } from './de/measurements.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import { signIn } from './de/sign-in.ts';
import { sites } from './de/sites.ts';
import type { Messages, Translated } from './catalogue.ts';

export const de: Translated<Messages> = {
  charts,
  common,
  dashboard,
  errors,
  measurements,
  settings,
  shell,
  signIn,
  sites,
};
