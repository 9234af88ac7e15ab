import { z } from 'zod';

export const runMode = z.enum(['Client', 'Admin']);
export type RunMode = z.infer<typeof runMode>;

/** `GET /api/app/info`: read once by the page to choose its navigation. */
export const appInfo = z.object({ runMode, applicationName: z.string(), version: z.string() });
export type AppInfo = z.infer<typeof appInfo>;

/** One line of `GET /api/config`. `value` is null where nothing is set and for every secret. */
export const configEntry = z.object({
  name: z.string(),
  value: z.string().nullable(),
  /** `secretFile` is a file that `<name>_FILE` names; `database` is not set but found: what the database offers. */
  source: z.enum(['environment', 'file', 'secretFile', 'default', 'database']),
  isSet: z.boolean(),
  isSecret: z.boolean(),
  /** What is unsafe about the value: `plainHttp`, that Production is reached without TLS. */
  warning: z.enum(['plainHttp']).optional(),
});
export type ConfigEntry = z.infer<typeof configEntry>;
