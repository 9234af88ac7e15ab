/** Color arithmetic in OKLCH, where equal steps of lightness look equal, and the contrast of WCAG 2. */

export interface Rgb {
  /** 0 to 1 each, gamma-encoded sRGB. */
  r: number;
  g: number;
  b: number;
}

export interface Oklch {
  /** Lightness, 0 black to 1 white. */
  l: number;
  /** Chroma, 0 gray to about 0.37. */
  c: number;
  /** Hue in radians. */
  h: number;
}

/** Parses `#rgb` and `#rrggbb`; null for anything else. */
export function parseHex(hex: string): Rgb | null {
  const digits = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(hex.trim())?.[1];
  if (digits === undefined) return null;
  const full = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const value = Number.parseInt(full, 16);
  return { r: (value >> 16) / 255, g: ((value >> 8) & 255) / 255, b: (value & 255) / 255 };
}

const channelHex = (value: number): string =>
  Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, '0');

export const toHex = ({ r, g, b }: Rgb): string => `#${channelHex(r)}${channelHex(g)}${channelHex(b)}`;

const toLinear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const toGamma = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** Björn Ottosson's OKLab matrices. */
export function toOklch({ r, g, b }: Rgb): Oklch {
  const [lr, lg, lb] = [toLinear(r), toLinear(g), toLinear(b)];
  const l = Math.cbrt(0.4122214708 * lr + 0.5363325363 * lg + 0.0514459929 * lb);
  const m = Math.cbrt(0.2119034982 * lr + 0.6806995451 * lg + 0.1073969566 * lb);
  const s = Math.cbrt(0.0883024619 * lr + 0.2817188376 * lg + 0.6299787005 * lb);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

function toRgbUnclipped({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos(h);
  const bb = c * Math.sin(h);
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * bb) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * bb) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * bb) ** 3;
  return {
    r: toGamma(4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3),
    g: toGamma(-1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3),
    b: toGamma(-0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3),
  };
}

const isInGamut = ({ r, g, b }: Rgb): boolean => [r, g, b].every((value) => value >= -0.0005 && value <= 1.0005);

/** The sRGB color of the lightness and hue, with as much of the chroma as sRGB can show. */
export function fromOklch(color: Oklch): Rgb {
  const l = Math.min(1, Math.max(0, color.l));
  let rgb = toRgbUnclipped({ ...color, l });
  if (isInGamut(rgb)) return rgb;
  let low = 0;
  let high = color.c;
  for (let step = 0; step < 20; step += 1) {
    const middle = (low + high) / 2;
    rgb = toRgbUnclipped({ ...color, l, c: middle });
    if (isInGamut(rgb)) low = middle;
    else high = middle;
  }
  return toRgbUnclipped({ ...color, l, c: low });
}

/** Relative luminance of WCAG 2. */
export function luminance(hex: string): number {
  const { r, g, b } = parseHex(hex) ?? { r: 0, g: 0, b: 0 };
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
}

/** Contrast ratio of WCAG 2, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
