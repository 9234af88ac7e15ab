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

/** The effective branding: missing fields fall back to the WhiteLabel settings. */
export function effectiveBranding(stored: StoredBranding | null, whiteLabel: Branding): Branding {
  return {
    applicationName: stored?.applicationName ?? whiteLabel.applicationName,
    logoUrl: stored?.logoUrl ?? whiteLabel.logoUrl,
    primaryColor: stored?.primaryColor ?? whiteLabel.primaryColor,
    secondaryColor: stored?.secondaryColor ?? whiteLabel.secondaryColor,
    accentColor: stored?.accentColor ?? whiteLabel.accentColor,
    footerText: stored?.footerText ?? whiteLabel.footerText,
  };
}
