import { z } from 'zod';

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
/** Wider or higher logos are refused: a small file can unpack to gigabytes of pixels. */
export const maxLogoPixels = 4096;
