import { describe, expect, it } from 'vitest';
import { chooseLanguage, regionalLocale } from './language.ts';

describe('the language of the page', () => {
  it('is the saved choice before the browser', () => {
    expect(chooseLanguage('de', ['en-US'])).toBe('de');
  });

  it('is the first language of the browser that there is a catalogue for', () => {
    expect(chooseLanguage(null, ['sv-SE', 'de-AT', 'en'])).toBe('de');
  });

  it('is English where nothing fits, or the saved choice is none of ours', () => {
    expect(chooseLanguage('xx', ['sv'])).toBe('en');
  });

  it("formats follow the browser's region of that language", () => {
    expect(regionalLocale('de', ['en-US', 'de-AT'])).toBe('de-AT');
    expect(regionalLocale('de', ['en-US'])).toBe('de');
  });
});
