import { createTheme, type Theme } from '@mui/material';
import { generateChartsTheme, getTheme, type PersesChartsTheme } from '@perses-dev/components';
import { filledOn, inkDark, inkLight, reachContrast, surfaces, textContrast } from '../../../shared/palette.ts';
import { texts } from './texts.ts';
import { seriesColors } from '../../../shared/charts/series-colors.ts';

export type Scheme = 'light' | 'dark';

/** Texts that MUI's fields and notes contain. */
const textsOfMui = {
  components: {
    MuiAutocomplete: {
      defaultProps: {
        clearText: texts.clear,
        closeText: texts.close,
        loadingText: texts.loading,
        noOptionsText: texts.noOptions,
        openText: texts.openList,
      },
    },
    MuiAlert: { defaultProps: { closeText: texts.close } },
  },
};

/** The grays of the portal's pages. */
const grays = {
  light: { body: '#fcfcfd', text: '#1b1f24', dimmed: '#5d646d', line: '#e6e8eb', lineStrong: '#c3c7cd' },
  dark: { body: '#121417', text: '#e7e9ec', dimmed: '#9aa0a9', line: '#262a30', lineStrong: '#3d434b' },
} as const;

/** The color scheme of the frame's URL, otherwise of the portal, otherwise of the system. */
export function chooseScheme(asked: string | null, saved: string | null, isSystemDark: boolean): Scheme {
  for (const choice of [asked, saved]) if (choice === 'light' || choice === 'dark') return choice;
  return isSystemDark ? 'dark' : 'light';
}

const fontFamily = '"Inter Variable", ui-sans-serif, system-ui, sans-serif';
/** Perses uses the font weights of Lato. */
const weights: Readonly<Record<string, number>> = { 700: 600, 900: 700 };

/** The text styles of a theme, in the portal's font. */
const inPortalFont = ({ typography }: Theme) =>
  Object.fromEntries(
    Object.entries(typography).flatMap(([variant, style]: [string, unknown]) => {
      if (typeof style !== 'object' || style === null || !('fontWeight' in style)) return [];
      const weight = String(style.fontWeight);
      return [[variant, { fontFamily, fontWeight: weights[weight] ?? Number(weight) }]];
    }),
  );

/** The theme of Perses in the brand's colors, on the portal's backgrounds. */
export function createToolTheme(primaryColor: string, scheme: Scheme): Theme {
  const ground = surfaces[scheme];
  const { body, text, dimmed, line, lineStrong } = grays[scheme];
  const filled = filledOn(primaryColor, scheme);
  const readable = reachContrast(primaryColor, ground, textContrast);
  const primary = { main: readable, dark: filled.hover, light: readable, contrastText: filled.text };
  const ofPerses = getTheme(scheme);
  return createTheme(
    ofPerses,
    {
      palette: {
        primary,
        info: primary,
        secondary: { main: dimmed, dark: text, light: dimmed, contrastText: scheme === 'dark' ? inkDark : inkLight },
        background: { default: ground, paper: ground, code: ground, lighter: body, border: line, tooltip: ground },
        text: { primary: text, secondary: dimmed },
        divider: line,
      },
      shape: { borderRadius: 8 },
      typography: {
        fontFamily,
        ...inPortalFont(ofPerses),
        subtitle1: { fontFamily, fontSize: '0.9375rem', fontWeight: 600, letterSpacing: 0 },
      },
      components: {
        MuiCssBaseline: {
          styleOverrides: {
            body: { backgroundColor: body, fontFeatureSettings: "'cv11', 'ss03'" },
            // White on a lighter green has too little contrast.
            '.notistack-MuiContent.notistack-MuiContent-success': { backgroundColor: '#2e7d32' },
            // Gives the text enough contrast on the editor's background. Also shows the buttons in panel headers, which Perses
            // hides from keyboard and touch.
            '[data-testid="panel"]': { '--panel-hover': 'block' },
            '@media (hover: hover)': {
              '[data-testid="panel"]:not(:hover, :focus-within) .MuiCardHeader-root button': { opacity: 0 },
            },
            '.cm-editor.cm-editor, .cm-editor.cm-editor .cm-gutters': { backgroundColor: ground, color: dimmed },
          },
        },
        // The titles of panels are headings one level below the title of the dashboard.
        MuiTypography: { defaultProps: { variantMapping: { subtitle1: 'h2', h4: 'h3' } } },
        MuiCard: {
          styleOverrides: {
            root: {
              borderRadius: 12,
              borderColor: line,
              backgroundColor: ground,
              '& .MuiCardHeader-root': { borderBottom: 'none' },
            },
          },
        },
        MuiButton: {
          defaultProps: { disableElevation: true, size: 'small' },
          styleOverrides: {
            contained: {
              backgroundColor: filled.background,
              color: filled.text,
              '&:hover': { backgroundColor: filled.hover },
            },
            outlined: { borderColor: lineStrong, color: text },
          },
        },
        MuiSkeleton: { defaultProps: { role: 'progressbar', 'aria-label': texts.loading } },
        MuiLinearProgress: { defaultProps: { 'aria-label': texts.loading } },
        MuiOutlinedInput: { styleOverrides: { notchedOutline: { borderColor: lineStrong } } },
        // Without this, text has the color of its background if both are the color of the brand.
        MuiAlert: {
          styleOverrides: { standardInfo: { backgroundColor: ground, color: text, border: `1px solid ${lineStrong}` } },
        },
        MuiDialog: { styleOverrides: { paper: { backgroundColor: ground, backgroundImage: 'none' } } },
        MuiDrawer: {
          // The editor of panels covers the page like a dialog.
          defaultProps: { role: 'dialog', 'aria-modal': true, 'aria-label': texts.edit },
          styleOverrides: { paper: { backgroundColor: body } },
        },
        MuiPopover: { styleOverrides: { paper: { backgroundColor: ground } } },
      },
    },
    textsOfMui,
  );
}

export function createToolChartsTheme(theme: Theme, primaryColor: string): PersesChartsTheme {
  const { mode, text, divider } = theme.palette;
  const axis = {
    axisLabel: { color: text.secondary, hideOverlap: true },
    axisLine: { lineStyle: { color: divider } },
    splitLine: { lineStyle: { color: divider, width: 1, opacity: 1 } },
  };
  const colors = seriesColors({ primaryColor }, mode);
  const [first = text.primary] = colors;
  return generateChartsTheme(theme, {
    echartsTheme: {
      color: colors,
      timeAxis: { ...axis, splitLine: { show: false } },
      categoryAxis: axis,
      valueAxis: { ...axis, splitNumber: 4 },
    },
    noDataOption: { title: { textStyle: { color: text.secondary, fontSize: 14 } } },
    sparkline: { width: 2, color: first },
    thresholds: { defaultColor: theme.palette.primary.main, palette: ['#d98a00', '#d92d3a'] },
  });
}
