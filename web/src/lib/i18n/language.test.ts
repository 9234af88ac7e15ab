import { describe, expect, it } from 'vitest';
import { chooseLanguage, regionalLocale } from './language.ts';

describe('the language of the page', () => {
  it("is the saved choice, before the browser's", () => {
    expect(chooseLanguage('de', ['en-US'])).toBe('de');
  });

  it('is the first language of the browser that has a catalogue', () => {
    expect(chooseLanguage(null, ['sv-SE', 'de-AT', 'en'])).toBe('de');
  });

  it('is English if nothing fits, or if the saved choice is unknown', () => {
    expect(chooseLanguage('xx', ['sv'])).toBe('en');
  });

  it("formats follow the browser's region of that language", () => {
    expect(regionalLocale('de', ['en-US', 'de-AT'])).toBe('de-AT');
    expect(regionalLocale('de', ['en-US'])).toBe('de');
  });
});
