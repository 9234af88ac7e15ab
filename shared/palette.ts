import { contrast, fromOklch, parseHex, toHex, toOklch, type Oklch } from './colors.ts';

/** The gray of series without a color of their own. */
export const othersColors = { light: '#8a9099', dark: '#7f8691' } as const;

/** The backgrounds of text and marks; the palette's contrast is measured against them. */
export const surfaces = { light: '#ffffff', dark: '#1a1d22' } as const;

/** Text (AA, WCAG 1.4.3) and parts of controls and charts (1.4.11). */
export const textContrast = 4.5;
export const graphicContrast = 3;

const lightness = [0.972, 0.936, 0.88, 0.81, 0.735, 0.66, 0.585, 0.51, 0.435, 0.355] as const;
const chromaShare = [0.16, 0.3, 0.5, 0.72, 0.9, 1, 1, 0.96, 0.86, 0.7] as const;

const oklchOf = (hex: string): Oklch => toOklch(parseHex(hex) ?? { r: 0.5, g: 0.5, b: 0.5 });

type Shades = readonly [string, string, string, string, string, string, string, string, string, string];

/** Ten shades of one hue from nearly white to deep; a gray stays gray. Anything but a hex color counts as gray. */
export function shadesOf(hex: string): Shades {
  const { c, h } = oklchOf(hex);
  const shade = (index: number): string =>
    toHex(fromOklch({ l: lightness[index] ?? 0.5, c: c * (chromaShare[index] ?? 1), h }));
  return [shade(0), shade(1), shade(2), shade(3), shade(4), shade(5), shade(6), shade(7), shade(8), shade(9)];
}

/** The number of steps from black to white. */
const steps = 200;

/** The color itself if it reaches the ratio on the background, otherwise the nearest lightness of its hue that does. */
export function reachContrast(hex: string, background: string, ratio: number): string {
  const start = toHex(parseHex(hex) ?? { r: 0.5, g: 0.5, b: 0.5 });
  if (contrast(start, background) >= ratio) return start;
  const { l, c, h } = oklchOf(hex);
  const isLightBackground = contrast('#000000', background) > contrast('#ffffff', background);
  const moved = (step: number) => l + (isLightBackground ? -step : step) / steps;
  const candidate = (step: number) => toHex(fromOklch({ l: moved(step), c, h }));
  // The contrast grows with each step, which allows a binary search; a page needs a dozen colors before its first numbers.
  let [below, reached] = [0, Math.floor((isLightBackground ? l : 1 - l) * steps) + 1];
  const last = reached;
  while (reached - below > 1) {
    const middle = Math.floor((below + reached) / 2);
    if (contrast(candidate(middle), background) >= ratio) reached = middle;
    else below = middle;
  }
  if (reached < last) return candidate(reached);
  return isLightBackground ? '#000000' : '#ffffff';
}

/** Dark and light text on colored surfaces. */
export const inkDark = '#111418';
export const inkLight = '#ffffff';

/** `share` (0 to 1) of the color over the background, mixed as the eye sees it. */
export function tint(hex: string, ground: string, share: number): string {
  const [over, under] = [oklchOf(hex), oklchOf(ground)];
  const mixed = (part: (color: Oklch) => number) => part(over) * share + part(under) * (1 - share);
  const a = mixed(({ c, h }) => c * Math.cos(h));
  const b = mixed(({ c, h }) => c * Math.sin(h));
  return toHex(fromOklch({ l: mixed(({ l }) => l), c: Math.hypot(a, b), h: Math.atan2(b, a) }));
}

export interface TintedColor {
  text: string;
  background: string;
  hover: string;
}

/** The color as text, readable on the background and on the color's own tints over it. */
export function tintedColor(hex: string, ground: string): TintedColor {
  // The tints reduce the contrast by up to a fifth.
  const text = reachContrast(hex, ground, 5.6);
  return { text, background: tint(text, ground, 0.08), hover: tint(text, ground, 0.13) };
}

export interface FilledColor {
  background: string;
  hover: string;
  text: string;
}

/**
 * From this contrast on, a surface is visible on its background. A bright yellow on the light one stays nearly the
 * same.
 */
export const surfaceContrast = { light: 1.25, dark: graphicContrast } as const;

/**
 * The brand color as a surface that carries text, adjusted if the brand is as dark or as light as the background, so that they
 * can be told apart. The text stays readable, because white reaches 4.5:1 up to a luminance well above 3:1 over the darkest
 * background.
 */
export function filledOn(hex: string, scheme: keyof typeof surfaces): FilledColor {
  const filled = filledColor(hex);
  const background = reachContrast(filled.background, surfaces[scheme], surfaceContrast[scheme]);
  if (background === filled.background) return filled;
  const { l, c, h } = oklchOf(background);
  const hover = toHex(fromOklch({ l: l - 0.035, c, h }));
  return { background, hover, text: filled.text };
}

/**
 * The brand color as a surface that carries text. A light brand (yellow) gets dark text. Any other gets white text and is
 * darkened as much as that needs, because a saturated blue with black text looks broken even with enough contrast.
 */
export function filledColor(hex: string): FilledColor {
  const { l, c, h } = oklchOf(hex);
  const text = l > 0.74 ? inkDark : inkLight;
  const background = reachContrast(hex, text, textContrast);
  const base = oklchOf(background);
  const hover = toHex(fromOklch({ l: base.l + (text === inkDark ? 0.04 : -0.045), c, h }));
  return { background, hover: reachContrast(hover, text, textContrast), text };
}
