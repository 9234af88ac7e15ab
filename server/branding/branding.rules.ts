/** The branding: the six fields of the specification. Colors are hex colors. */
export interface Branding {
  applicationName: string;
  logoUrl: string;
  primaryColor: string;
  secondaryColor: string;
  accentColor: string;
  footerText: string;
}

/** The stored branding; null means the WhiteLabel setting. */
export type StoredBranding = { [Field in keyof Branding]: Branding[Field] | null };

export const brandingFields = [
  'applicationName',
  'logoUrl',
  'primaryColor',
  'secondaryColor',
  'accentColor',
  'footerText',
] as const satisfies readonly (keyof Branding)[];

/** The effective branding: missing fields fall back to the WhiteLabel settings. */
export function effectiveBranding(stored: StoredBranding | null, whiteLabel: Branding): Branding {
  const effective = { ...whiteLabel };
  for (const field of brandingFields) effective[field] = stored?.[field] ?? whiteLabel[field];
  return effective;
}
