import type { ConfigEntry, Branding } from '../../../../../shared/app.ts';
import { hexColor } from '../../../../../shared/primitives.ts';
import { contrast } from '../../../../../shared/colors.ts';
import { filledColor, textContrast, tintedColor, surfaces } from '../../../../../shared/palette.ts';

export const colorFields = ['primaryColor', 'secondaryColor', 'accentColor'] as const;
export type ColorField = (typeof colorFields)[number];
export const brandingFields = ['applicationName', 'logoUrl', ...colorFields, 'footerText'] as const;
export type BrandingField = (typeof brandingFields)[number];

/** The setting that replaces a blank field: `WhiteLabel__PrimaryColor`. */
export function settingOf(field: BrandingField): string {
  return `WhiteLabel__${field.slice(0, 1).toUpperCase()}${field.slice(1)}`;
}

/** The value that replaces a blank field. Undefined until the settings are known. */
export function fallbackOf(field: BrandingField, config: readonly ConfigEntry[] | undefined): string | undefined {
  const name = settingOf(field);
  const entry = config?.find((candidate) => candidate.name === name);
  return entry === undefined ? undefined : (entry.value ?? '');
}

const isColor = (value: string): boolean => hexColor.safeParse(value.trim()).success;

/**
 * The branding of the page with these values. A blank field has the value of its setting, and an incomplete color is replaced
 * by the saved one.
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

/** `#rrggbb`, the only format that a browser's color picker accepts. */
export function longHex(hex: string): string {
  const digits = hex.trim().slice(1);
  return digits.length === 3 ? `#${[...digits].map((digit) => digit + digit).join('')}` : `#${digits}`;
}

interface ContrastFinding {
  /** The use for which the color must be adjusted: under the text of a button, as text on light, or as text on dark. */
  place: 'surface' | 'light' | 'dark';
  /** WCAG contrast of the unchanged color, less than 4.5. */
  ratio: number;
  /** The color that the portal uses there. */
  shown: string;
}

/** The uses in which a brand color would be hard to read, with the colors that the portal uses there. */
export function contrastFindings(hex: string): ContrastFinding[] {
  const filled = filledColor(hex);
  const places: ContrastFinding[] = [
    { place: 'surface', ratio: contrast(hex, filled.text), shown: filled.background },
    { place: 'light', ratio: contrast(hex, surfaces.light), shown: tintedColor(hex, surfaces.light).text },
    { place: 'dark', ratio: contrast(hex, surfaces.dark), shown: tintedColor(hex, surfaces.dark).text },
  ];
  return places.filter(({ ratio }) => ratio < textContrast);
}
