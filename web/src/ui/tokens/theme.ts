import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';
import type { Branding } from '../../../../shared/app.ts';
import {
  filledColor,
  filledOn,
  graphicContrast,
  inkDark,
  reachContrast,
  shadesOf,
  surfaces,
  tintedColor,
} from '../../../../shared/palette.ts';

const gray: MantineColorsTuple = [
  '#f7f8f9',
  '#f1f2f4',
  '#e6e8eb',
  '#d9dce0',
  '#c3c7cd',
  '#9aa0a8',
  '#6a7079',
  '#4c525b',
  '#31363d',
  '#1b1f24',
];
const dark: MantineColorsTuple = [
  '#e7e9ec',
  '#b9bec5',
  '#959ba4',
  '#6c727c',
  '#343940',
  '#272b31',
  '#1d2126',
  '#101215',
  '#0c0e10',
  '#08090b',
];

/** The colors of problems, success and warnings: the same in every branding. */
const statusColors = { red: '#d92d3a', green: '#1f8a4c', yellow: '#d98a00' } as const;

/** Replaces those grays of Mantine that are too faint to read, or too strong for a quiet element. */
const neutralVariables = {
  light: {
    '--mantine-color-body': '#fcfcfd',
    '--mantine-color-text': '#1b1f24',
    '--mantine-color-dimmed': '#5d646d',
    '--mantine-color-placeholder': '#6a7079',
    '--mantine-color-default-border': '#d0d4d9',
    '--mantine-color-gray-light': '#eceef0',
    '--mantine-color-gray-light-hover': '#e3e6e9',
    '--mantine-color-gray-light-color': '#31363d',
  },
  dark: {
    '--mantine-color-body': '#121417',
    '--mantine-color-text': '#e7e9ec',
    '--mantine-color-dimmed': '#9aa0a9',
    '--mantine-color-placeholder': '#858c96',
    '--mantine-color-default': '#1a1d22',
    '--mantine-color-default-hover': '#22262c',
    '--mantine-color-default-border': '#3d434b',
    '--mantine-color-gray-light': '#2a2e35',
    '--mantine-color-gray-light-hover': '#333840',
    '--mantine-color-gray-light-color': '#d9dce0',
  },
} as const;

/** Beside the content of the page, a tooltip would belong to no landmark. */
const withinContent = { target: '#content' };

export interface BrandTheme {
  theme: MantineThemeOverride;
  cssVariables: CSSVariablesResolver;
}

/** The Mantine theme of a branding. Each use of a brand color (as text, surface or mark) reaches WCAG AA in both schemes. */
export function createBrandTheme(branding: Branding): BrandTheme {
  const theme = createTheme({
    primaryColor: 'primary',
    colors: {
      primary: themeShades(branding.primaryColor),
      secondary: themeShades(branding.secondaryColor),
      accent: themeShades(branding.accentColor),
      red: themeShades(statusColors.red),
      green: themeShades(statusColors.green),
      yellow: themeShades(statusColors.yellow),
      gray,
      dark,
    },
    primaryShade: { light: 7, dark: 7 },
    autoContrast: true,
    // White text reaches 4.5:1 on any color up to this luminance.
    luminanceThreshold: 0.1834,
    black: inkDark,
    fontFamily: 'var(--font-text)',
    fontFamilyMonospace: 'var(--font-code)',
    defaultRadius: 'md',
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
    lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.5' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.375rem', lineHeight: '1.3' },
        h2: { fontSize: '1.0625rem', lineHeight: '1.35' },
        h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
      },
    },
    shadows: {
      xs: '0 1px 2px rgb(16 20 24 / 5%)',
      sm: '0 1px 3px rgb(16 20 24 / 7%)',
      md: '0 6px 20px -4px rgb(16 20 24 / 14%), 0 2px 6px rgb(16 20 24 / 6%)',
    },
    respectReducedMotion: true,
    cursorType: 'pointer',
    components: {
      Button: { defaultProps: { size: 'sm' } },
      // Explanations are below the fields, so that neighbouring fields are aligned whatever the length of their texts.
      InputWrapper: {
        defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] },
        styles: {
          label: { marginBottom: '0.25rem', fontWeight: 500 },
          description: { fontSize: '0.75rem' },
          error: { fontSize: '0.75rem' },
        },
      },
      TextInput: { defaultProps: { size: 'sm' } },
      PasswordInput: { defaultProps: { size: 'sm' } },
      Textarea: { defaultProps: { size: 'sm' } },
      Select: { defaultProps: { size: 'sm' } },
      MultiSelect: { defaultProps: { size: 'sm' } },
      Badge: {
        defaultProps: { variant: 'light', radius: 'sm' },
        styles: { root: { fontWeight: 500, textTransform: 'none' } },
      },
      // Mounted-but-hidden dropdowns force a layout during render.
      Combobox: { defaultProps: { keepMounted: false } },
      Menu: { defaultProps: { shadow: 'md', radius: 'md', withinPortal: true } },
      Popover: { defaultProps: { shadow: 'md', radius: 'md', withinPortal: true } },
      Modal: { defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.4, blur: 2 } } },
      Tooltip: { defaultProps: { openDelay: 350, withArrow: false, portalProps: withinContent } },
      TooltipFloating: { defaultProps: { portalProps: withinContent } },
      Paper: { defaultProps: { radius: 'lg', withBorder: true, shadow: 'none' } },
      Card: { defaultProps: { radius: 'lg', withBorder: true, shadow: 'none' } },
    },
  });
  return { theme, cssVariables: () => brandVariables(branding) };
}

/** Shade 7 is the surface under text, and shade 8 is its hover color, because Mantine uses these positions. */
function themeShades(hex: string): MantineColorsTuple {
  const [s0, s1, s2, s3, s4, s5, s6, , , s9] = shadesOf(hex);
  const { background, hover } = filledColor(hex);
  return [s0, s1, s2, s3, s4, s5, s6, background, hover, s9];
}

/** Colors that Mantine derives from shades by position are replaced by measured ones. */
function brandVariables(branding: Branding): ReturnType<CSSVariablesResolver> {
  const light: Record<string, string> = {};
  const dark: Record<string, string> = {};
  const colors = {
    primary: branding.primaryColor,
    secondary: branding.secondaryColor,
    accent: branding.accentColor,
    ...statusColors,
  };
  for (const [name, hex] of Object.entries(colors)) {
    for (const [scheme, variables] of [
      ['light', light],
      ['dark', dark],
    ] as const) {
      const ground = surfaces[scheme];
      const filled = filledOn(hex, scheme);
      const tinted = tintedColor(hex, ground);
      Object.assign(variables, {
        [`--mantine-color-${name}-filled`]: filled.background,
        [`--mantine-color-${name}-filled-hover`]: filled.hover,
        [`--mantine-color-${name}-contrast`]: filled.text,
        [`--mantine-color-${name}-text`]: tinted.text,
        [`--mantine-color-${name}-outline`]: tinted.text,
        [`--mantine-color-${name}-outline-hover`]: tinted.background,
        [`--mantine-color-${name}-light`]: tinted.background,
        [`--mantine-color-${name}-light-hover`]: tinted.hover,
        [`--mantine-color-${name}-light-color`]: tinted.text,
        [`--mark-${name}`]: reachContrast(hex, ground, graphicContrast),
      });
    }
  }
  for (const variables of [light, dark]) {
    variables['--mantine-primary-color-contrast'] = 'var(--mantine-color-primary-contrast)';
    variables['--mantine-color-anchor'] = 'var(--mantine-color-primary-text)';
    variables['--mantine-color-error'] = 'var(--mantine-color-red-text)';
    variables['--mantine-color-success'] = 'var(--mantine-color-green-text)';
  }
  Object.assign(light, neutralVariables.light);
  Object.assign(dark, neutralVariables.dark);
  return { variables: {}, light, dark };
}
