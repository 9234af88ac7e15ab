import type { ConfigEntry, Branding } from '../../../../shared/app.ts';
import { hexColor } from '../../../../shared/primitives.ts';

export const colorFields = ['primaryColor', 'secondaryColor', 'accentColor'] as const;
export type ColorField = (typeof colorFields)[number];
export const brandingFields = ['applicationName', 'logoUrl', ...colorFields, 'footerText'] as const;
export type BrandingField = (typeof brandingFields)[number];

/** The setting that a blank field falls back to: `WhiteLabel__PrimaryColor`. */
export function settingOf(field: BrandingField): string {
  return `WhiteLabel__${field.slice(0, 1).toUpperCase()}${field.slice(1)}`;
}

/** What a blank field falls back to; undefined until the settings are known. */
export function fallbackOf(field: BrandingField, config: readonly ConfigEntry[] | undefined): string | undefined {
  const name = settingOf(field);
  const entry = config?.find((candidate) => candidate.name === name);
  return entry === undefined ? undefined : (entry.value ?? '');
}

export const isColor = (value: string): boolean => hexColor.safeParse(value.trim()).success;

/** Every field that is neither blank nor what it takes. */
export function invalidColors(values: Branding): ColorField[] {
  return colorFields.filter((field) => values[field].trim() !== '' && !isColor(values[field]));
}

/**
 * What the page would look like with these values: a blank field shows its fallback, a color that is still being typed
 * the one that is saved.
 */
export function effectiveBranding(
  values: Branding,
  saved: Branding,
  config: readonly ConfigEntry[] | undefined,
): Branding {
  const shown = (field: BrandingField): string => {
    const value = values[field].trim();
    return value === '' ? (fallbackOf(field, config) ?? saved[field]) : value;
  };
  const color = (field: ColorField): string => (isColor(shown(field)) ? shown(field) : saved[field]);
  return {
    applicationName: shown('applicationName'),
    logoUrl: shown('logoUrl'),
    primaryColor: color('primaryColor'),
    secondaryColor: color('secondaryColor'),
    accentColor: color('accentColor'),
    footerText: shown('footerText'),
  };
}

/** `#rrggbb`, which is all that the color picker of a browser takes. */
export function longHex(hex: string): string {
  const digits = hex.trim().slice(1);
  return digits.length === 3 ? `#${[...digits].map((digit) => digit + digit).join('')}` : `#${digits}`;
}
