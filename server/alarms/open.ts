import { shares } from '../base/budgets.ts';
import { warns } from '../base/log.ts';
import { pause, type Repeating, startRepeating } from '../database/turns.ts';
import type { Context } from '../http/context.ts';
import type { Guard } from '../http/guard.ts';
import type { App } from '../http/typed-app.ts';
import { alarmRuleRoutes } from './alarm-rules.routes.ts';
import { alarmRoutes } from './alarms.routes.ts';
import { createEvaluation } from './evaluate.ts';

/** The routes of alarms. */
export function openAlarms(app: App, { config, database, now }: Context, guard: Guard): void {
  const { runMode } = config;
  alarmRuleRoutes(app, { database, guard, runMode, now });
  alarmRoutes(app, { database, guard, runMode, now });
}

/** An alarm fires at most so long after its condition. */
const everyMs = 5_000;
/** With many rules it rests this many times as long as a round took. */
const restFactor = 4;

/** Evaluates the rules as long as the portal runs, on one of the portals of a database at a time. */
export function startAlarms({ config, database, log, now }: Context): Repeating {
  const { runMode, timeZone, fleetIngest } = config;
  const parts = { database: database.within(shares.worker), runMode, timeZone, pushes: fleetIngest.enabled, now };
  return startRepeating({
    work: createEvaluation(parts),
    onProblem: warns(log, 'the alarms could not be evaluated; they are tried again'),
    rest: (signal, tookMs) => pause(Math.max(everyMs, tookMs * restFactor), signal),
  });
}
