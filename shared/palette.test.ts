import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, fromOklch, parseHex, toHex, toOklch } from './colors.ts';
import {
  filledColor,
  filledOn,
  graphicContrast,
  reachContrast,
  shadesOf,
  surfaceContrast,
  surfaces,
  textContrast,
  tintedColor,
} from './palette.ts';
import { seriesColors } from './charts/series-colors.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const ground = fc.constantFrom(surfaces.light, surfaces.dark, '#fcfcfd', '#121417');

describe('contrast', () => {
  it('is that of WCAG 2', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
    expect(contrast('#fff', '#ffffff')).toBe(1);
  });

  it('converts back from OKLCH to the same color', () => {
    fc.assert(
      fc.property(hex, (color) => {
        const rgb = parseHex(color);
        if (rgb !== null) expect(toHex(fromOklch(toOklch(rgb)))).toBe(color);
      }),
    );
  });
});

describe('any brand color', () => {
  it('reaches AA as text on every background of both schemes', () => {
    fc.assert(
      fc.property(hex, ground, (color, background) => {
        expect(contrast(reachContrast(color, background, textContrast), background)).toBeGreaterThanOrEqual(
          textContrast,
        );
      }),
    );
  });

  it('stays readable as text on its own tints', () => {
    fc.assert(
      fc.property(hex, ground, (color, background) => {
        const tinted = tintedColor(color, background);
        expect(contrast(tinted.text, tinted.background)).toBeGreaterThanOrEqual(textContrast);
        expect(contrast(tinted.text, tinted.hover)).toBeGreaterThanOrEqual(textContrast);
      }),
      { numRuns: 1000 },
    );
  });

  it('carries readable text as a filled surface, also when hovered', () => {
    fc.assert(
      fc.property(hex, (color) => {
        const { background, hover, text } = filledColor(color);
        expect(contrast(background, text)).toBeGreaterThanOrEqual(textContrast);
        expect(contrast(hover, text)).toBeGreaterThanOrEqual(textContrast);
      }),
    );
  });

  it.each(['light', 'dark'] as const)(
    'is distinguishable from the %s background as a filled surface, with readable text',
    (scheme) => {
      fc.assert(
        fc.property(fc.oneof(hex, fc.constantFrom('#ffffff', '#fefcf5', '#000000')), (color) => {
          const { background, hover, text } = filledOn(color, scheme);
          expect(contrast(background, surfaces[scheme])).toBeGreaterThanOrEqual(surfaceContrast[scheme]);
          expect(contrast(background, text)).toBeGreaterThanOrEqual(textContrast);
          expect(contrast(hover, text)).toBeGreaterThanOrEqual(textContrast);
        }),
      );
    },
  );

  it('stays unchanged if it is readable already', () => {
    expect(reachContrast('#0b7285', '#ffffff', textContrast)).toBe('#0b7285');
    expect(filledColor('#0b7285').background).toBe('#0b7285');
    expect(filledOn('#ffd43b', 'light')).toEqual(filledColor('#ffd43b'));
  });

  it('gives ten shades from light to dark', () => {
    fc.assert(
      fc.property(hex, (color) => {
        const lightness = shadesOf(color).map((shade) => toOklch(parseHex(shade) ?? { r: 0, g: 0, b: 0 }).l);
        expect(lightness).toHaveLength(10);
        expect(lightness).toEqual(lightness.toSorted((a, b) => b - a));
      }),
    );
  });

  it('is treated as gray if it is invalid, which once broke the page', () => {
    expect(shadesOf('not a color')).toEqual(shadesOf('#808080'));
    expect(contrast(reachContrast('', '#ffffff', textContrast), '#ffffff')).toBeGreaterThanOrEqual(textContrast);
  });
});

describe('colors of chart series', () => {
  it('stand out from the surface of their scheme and from each other', () => {
    fc.assert(
      fc.property(hex, fc.constantFrom('light', 'dark'), (primaryColor, scheme) => {
        const colors = seriesColors({ primaryColor }, scheme);
        expect(colors.length).toBeGreaterThanOrEqual(7);
        expect(new Set(colors).size).toBe(colors.length);
        for (const color of colors) {
          expect(contrast(color, surfaces[scheme])).toBeGreaterThanOrEqual(graphicContrast);
        }
      }),
    );
  });
});
