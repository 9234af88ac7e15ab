import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast } from '../../ui/tokens/color.ts';
import { surfaces } from '../../ui/tokens/palette.ts';
import { contrastFindings } from './brand-contrast.ts';

const places = (hex: string) => contrastFindings(hex).map(({ place }) => place);

describe('the warning about a brand color', () => {
  it('says where it cannot be read as it is', () => {
    expect(places('#ffe066')).toEqual(['light']);
    expect(places('#0b2540')).toEqual(['dark']);
    expect(places('#5c9ded')).toEqual(['surface', 'light']);
  });

  it('leaves only the dark ground where the color suits buttons and white', () => {
    expect(places('#0b7285')).toEqual(['dark']);
    expect(places('#767676')).toEqual(['dark']);
  });

  it('names a replacement that reads well on its ground, and the ratio that is too low', () => {
    const hexColor = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(hexColor, (hex) => {
        for (const { place, ratio, shown } of contrastFindings(hex)) {
          expect(ratio).toBeLessThan(4.5);
          if (place !== 'surface') expect(contrast(shown, surfaces[place])).toBeGreaterThanOrEqual(4.5);
          expect(shown).not.toBe(hex);
        }
      }),
    );
  });
});
