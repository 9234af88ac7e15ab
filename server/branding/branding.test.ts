import { expect, test } from 'vitest';
import { effectiveBranding } from './branding.ts';

const whiteLabel = {
  applicationName: 'Power',
  logoUrl: '',
  primaryColor: '#111111',
  secondaryColor: '#222222',
  accentColor: '#333333',
  footerText: 'Footer',
};

test('Branding: each blank field falls back to the WhiteLabel setting, the others stay', () => {
  const stored = {
    applicationName: 'Acme',
    logoUrl: '/uploads/logo.png',
    primaryColor: null,
    secondaryColor: '#abcdef',
    accentColor: null,
    footerText: null,
  };
  expect(effectiveBranding(stored, whiteLabel)).toEqual({
    applicationName: 'Acme',
    logoUrl: '/uploads/logo.png',
    primaryColor: '#111111',
    secondaryColor: '#abcdef',
    accentColor: '#333333',
    footerText: 'Footer',
  });
  expect(effectiveBranding(null, whiteLabel)).toEqual(whiteLabel);
});
