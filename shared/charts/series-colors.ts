import type { Branding } from '../app.ts';
import { parseHex, toOklch, type Oklch } from '../colors.ts';
import { graphicContrast, reachContrast, surfaces } from '../palette.ts';

/** Hues that also stay distinguishable for readers who confuse red and green; neighbours differ in lightness too. */
const categorical = ['#2f7ed8', '#e8871e', '#1aa179', '#9b5de5', '#d6456b', '#6c8a1f', '#17a2c6', '#a8703f', '#7a8699'];

const hueDistance = (a: number, b: number): number => {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return Math.min(turn, 2 * Math.PI - turn);
};

/**
 * The colors in their order, rotated so that the first one differs from the brand's color: most charts show two or three
 * colors.
 */
function startingFarFrom(brand: Oklch, colors: readonly string[]): string[] {
  const distances = colors.map((hex) => hueDistance(toOklch(parseHex(hex) ?? { r: 0, g: 0, b: 0 }).h, brand.h));
  const start = brand.c < 0.04 ? 0 : distances.findIndex((distance) => distance > 1.4);
  return start <= 0 ? [...colors] : [...colors.slice(start), ...colors.slice(0, start)];
}

/**
 * Colors for the series of a chart, the brand's primary first, each at least 3:1 on the surface of the scheme. They
 * repeat after about nine, so series need names too.
 */
export function seriesColors(branding: Pick<Branding, 'primaryColor'>, scheme: 'light' | 'dark'): string[] {
  const brand = toOklch(parseHex(branding.primaryColor) ?? { r: 0.5, g: 0.5, b: 0.5 });
  const distinct = categorical.filter((hex) => {
    const { h } = toOklch(parseHex(hex) ?? { r: 0, g: 0, b: 0 });
    return brand.c < 0.04 || hueDistance(h, brand.h) > 0.3;
  });
  return [branding.primaryColor, ...startingFarFrom(brand, distinct)].map((hex) =>
    reachContrast(hex, surfaces[scheme], graphicContrast),
  );
}
