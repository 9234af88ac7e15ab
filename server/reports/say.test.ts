import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exportTexts } from '../../messages/en/exports.ts';
import { languages } from '../../shared/messages.ts';
import { translationsIn } from '../http/translations.ts';
import { sayIn } from './say.ts';

const translations = languages
  .filter((language) => language !== 'en')
  .map((language) => [language, translationsIn(language, 'exports')] as const);

describe.each(translations)('the texts of workbooks: %s', (language, texts) => {
  it('has every text, none of them empty, cut or left in English', () => {
    expect(Object.keys(texts)).toEqual(exportTexts);
    for (const [key, text] of Object.entries(texts)) {
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toBe('');
      expect(text.length, key).toBeLessThan(120);
      if (/\w+ \w+ \w+/.test(key)) expect(text, language).not.toBe(key);
    }
  });

  it('has sheet names that Excel accepts unchanged', () => {
    for (const name of ['Gaps and anomalies', 'Meter mismatches', 'Cost breakdown', 'Data quality', 'About'] as const) {
      expect(texts[name], name).toMatch(/^[^[\]:*?/\\']{1,31}$/);
    }
  });
});

it('French has its narrow no-break spaces', () => {
  for (const text of Object.values(translationsIn('fr', 'exports')))
    expect(text).not.toMatch(/[^\u202F]\?| [:;]|[^\u202F:]:/u);
});

it('a unit follows the translated text in parentheses, the same in every language', () => {
  expect(languages.map((language) => sayIn(language)('Energy', 'kWh'))).toEqual([
    'Energy (kWh)',
    'Energie (kWh)',
    'Énergie (kWh)',
    'Energía (kWh)',
    'Energie (kWh)',
    'Energia (kWh)',
  ]);
});

it('every text is used somewhere', () => {
  const files = globSync(['server/{reports,rates,fleet}/*.ts', 'shared/quantities.ts', 'messages/en/page/states.ts'], {
    cwd: `${import.meta.dirname}/../..`,
  });
  const sources = files
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8'))
    .join('\n');
  const templates = { day: 'Energy by day', month: 'Energy by month' };
  expect(exportTexts.filter((text) => !sources.includes(`'${text}'`))).toEqual(Object.values(templates));
});
