import { createTheme, type Theme } from '@mui/material';
import { generateChartsTheme, getTheme, type PersesChartsTheme } from '@perses-dev/components';
import { filledOn, inkDark, inkLight, reachContrast, surfaces, textContrast } from '../../../shared/palette.ts';
import { texts } from './texts.ts';
import { seriesColors } from '../../../shared/charts/series-colors.ts';

export type Scheme = 'light' | 'dark';

/** What fields and notes of MUI say themselves. */
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

/** What the frame asks for in the address, else what was chosen in the portal, else the system's. */
export function chooseScheme(asked: string | null, saved: string | null, isSystemDark: boolean): Scheme {
  for (const choice of [asked, saved]) if (choice === 'light' || choice === 'dark') return choice;
  return isSystemDark ? 'dark' : 'light';
}

const fontFamily = '"Inter Variable", ui-sans-serif, system-ui, sans-serif';
/** Perses has the weights that Lato has. */
const weights: Readonly<Record<string, number>> = { 700: 600, 900: 700 };

/** The styles of text of a theme in the portal's font. */
const inPortalFont = ({ typography }: Theme) =>
  Object.fromEntries(
    Object.entries(typography).flatMap(([variant, style]: [string, unknown]) => {
      if (typeof style !== 'object' || style === null || !('fontWeight' in style)) return [];
      const weight = String(style.fontWeight);
      return [[variant, { fontFamily, fontWeight: weights[weight] ?? Number(weight) }]];
    }),
  );

/** The theme of Perses in the colors of the brand, on the grounds of the portal. */
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
            // White on a lighter green is too faint.
            '.notistack-MuiContent.notistack-MuiContent-success': { backgroundColor: '#2e7d32' },
            // On the editor's own ground its words are too faint.
            // The buttons in the head of a panel, which Perses takes away from the keyboard and from fingers.
            '[data-testid="panel"]': { '--panel-hover': 'block' },
            '@media (hover: hover)': {
              '[data-testid="panel"]:not(:hover, :focus-within) .MuiCardHeader-root button': { opacity: 0 },
            },
            '.cm-editor.cm-editor, .cm-editor.cm-editor .cm-gutters': { backgroundColor: ground, color: dimmed },
          },
        },
        // The titles of panels are below that of the dashboard.
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
        // Perses has the text of it in the color of its ground, where both are the brand's.
        MuiAlert: {
          styleOverrides: { standardInfo: { backgroundColor: ground, color: text, border: `1px solid ${lineStrong}` } },
        },
        MuiDialog: { styleOverrides: { paper: { backgroundColor: ground, backgroundImage: 'none' } } },
        MuiDrawer: {
          // It lies over the page as a dialog does.
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
