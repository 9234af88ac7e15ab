import { z } from 'zod';
import { hexColor, name, text } from './primitives.ts';

export const runMode = z.enum(['Client', 'Admin']);
export type RunMode = z.infer<typeof runMode>;

/** `GET /api/app/info`: read once by the page to choose its navigation. */
export const appInfo = z.object({
  runMode,
  applicationName: z.string(),
  version: z.string(),
  /** The demo data that is still loading. */
  demoPercent: z.int().optional(),
});
export type AppInfo = z.infer<typeof appInfo>;

/** `GET /api/auth/forgot-password`. */
export const forgottenPasswordOffer = z.object({
  isOffered: z.boolean().meta({ description: 'Whether the portal has a mail server, so that it can send links.' }),
});

/** One line of `GET /api/config`. `value` is null if nothing is set, and for every secret. */
export const configEntry = z.object({
  name: z.string(),
  value: z.string().nullable(),
  /**
   * `secretFile`: the value comes from a file that `<name>_FILE` names. `database`: the value was detected in the database and
   * is not set.
   */
  source: z.enum(['environment', 'file', 'secretFile', 'default', 'database']),
  isSet: z.boolean(),
  isSecret: z.boolean(),
  /** Why the value is unsafe. `plainHttp`: the portal runs in Production without TLS. */
  warning: z.enum(['plainHttp']).optional(),
});
export type ConfigEntry = z.infer<typeof configEntry>;

export const branding = z.object({
  applicationName: z.string(),
  logoUrl: z.string(),
  primaryColor: z.string(),
  secondaryColor: z.string(),
  accentColor: z.string(),
  footerText: z.string(),
});
export type Branding = z.infer<typeof branding>;

export const maxLogoBytes = 1024 * 1024;
/** Logos with more pixels are rejected, because a small file can unpack to gigabytes of pixels. */
export const maxLogoPixels = 4096;

/** A null or blank field falls back to the WhiteLabel setting. A field that is left out stays the same. */
const orFallback = (schema: z.ZodType<string, string>) =>
  z
    .string()
    .nullable()
    .transform((given) => given?.trim() || null)
    .pipe(schema.nullable())
    .optional();

const isHttpUrl = (value: string) => /^https?:\/\/[^\s"'<>\\]+$/i.test(value) && URL.canParse(value);
// Judged as a browser resolves the path: `%2e%2e` leads up, and a proxy may read `%2f` as a slash.
const isNormal = (value: string) =>
  new URL(value, 'http://portal.invalid').pathname === value && !/%(?:2e|2f|5c|00)/i.test(value);
// One slash, then plain segments: neither another host (`//host`) nor a way up (`/../`).
const isOwnPath = (value: string) => /^(?:\/[\w~%-][\w.~%-]*)+$/.test(value) && isNormal(value);

export const logoUrl = z
  .string()
  .max(2000)
  .refine((value) => isHttpUrl(value) || isOwnPath(value), 'mustBeWebAddress');

export const applicationName = name(100);
export const footerText = text(1, 500);

/** `PUT /api/branding`. */
export const brandingUpdate = z.object({
  applicationName: orFallback(applicationName),
  logoUrl: orFallback(logoUrl),
  primaryColor: orFallback(hexColor),
  secondaryColor: orFallback(hexColor),
  accentColor: orFallback(hexColor),
  footerText: orFallback(footerText),
});
