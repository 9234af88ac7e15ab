import { describe, expect, it } from 'vitest';
import { type Branding, brandingUpdate, type ConfigEntry } from '../../../../../shared/app.ts';
import { problemsOf } from '../../../lib/records.ts';
import {
  brandingFields,
  effectiveBranding,
  fallbackOf,
  longHex,
  settingOf,
  contrastFindings,
} from './branding-values.ts';
import fc from 'fast-check';
import { contrast } from '../../../../../shared/colors.ts';
import { surfaces } from '../../../../../shared/palette.ts';

const saved: Branding = {
  applicationName: 'Stadtwerke',
  logoUrl: '/uploads/logo.png',
  primaryColor: '#112233',
  secondaryColor: '#445566',
  accentColor: '#778899',
  footerText: 'Since 1900',
};
const setting = (name: string, value: string | null): ConfigEntry => ({
  name,
  value,
  source: 'default',
  isSet: value !== null,
  isSecret: false,
});
const config = [
  setting('WhiteLabel__ApplicationName', 'Power Monitoring'),
  setting('WhiteLabel__LogoUrl', ''),
  setting('WhiteLabel__PrimaryColor', '#0b7285'),
  setting('WhiteLabel__SecondaryColor', '#343a40'),
  setting('WhiteLabel__AccentColor', '#e8590c'),
  setting('WhiteLabel__FooterText', null),
];

describe('a blank field', () => {
  it('falls back to the WhiteLabel setting of its name', () => {
    expect(brandingFields.map(settingOf)).toEqual(config.map(({ name }) => name));
    const blank = { ...saved, applicationName: ' ', primaryColor: '', logoUrl: '', footerText: '' };
    expect(effectiveBranding(blank, saved, config)).toEqual({
      ...saved,
      applicationName: 'Power Monitoring',
      primaryColor: '#0b7285',
      logoUrl: '',
      footerText: '',
    });
  });

  it('shows the saved value until the settings are known', () => {
    expect(fallbackOf('primaryColor', undefined)).toBeUndefined();
    expect(effectiveBranding({ ...saved, primaryColor: '' }, saved, undefined)).toEqual(saved);
  });
});

describe('a color', () => {
  it('does not change the preview while it is being typed', () => {
    expect(effectiveBranding({ ...saved, accentColor: '#e8' }, saved, config).accentColor).toBe('#778899');
  });

  it('is rejected by the schema of its form unless it is blank or a hex color', () => {
    const typed = { ...saved, primaryColor: 'red', secondaryColor: '', accentColor: '#FA0' };
    const problems = { primaryColor: () => 'no color', secondaryColor: () => 'no color' };
    expect(problemsOf(brandingUpdate, { typed, written: typed }, problems, 'required')).toEqual({
      primaryColor: 'no color',
    });
  });

  it('of three digits is expanded for the color picker of the browser', () => {
    expect(longHex('#fa0')).toBe('#ffaa00');
    expect(longHex(' #0B7285')).toBe('#0B7285');
  });
});

const places = (hex: string) => contrastFindings(hex).map(({ place }) => place);

describe('the warning about a brand color', () => {
  it('names where it cannot be read unchanged', () => {
    expect(places('#ffe066')).toEqual(['light']);
    expect(places('#0b2540')).toEqual(['dark']);
    expect(places('#5c9ded')).toEqual(['surface', 'light']);
  });

  it('leaves only the dark background if the color suits buttons and white', () => {
    expect(places('#0b7285')).toEqual(['dark']);
    expect(places('#767676')).toEqual(['dark']);
  });

  it('names a replacement that is readable on its background, and the ratio that is too low', () => {
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
