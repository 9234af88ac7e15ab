import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages } from '../../shared/languages.ts';
import { exportTexts, sayIn } from './say.ts';

const english = Object.keys(exportTexts.de);

describe.each(Object.entries(exportTexts))('what workbooks say: %s', (language, texts) => {
  it('has every text, none of them empty, cut or left in English', () => {
    expect(Object.keys(texts)).toEqual(english);
    for (const [key, text] of Object.entries(texts)) {
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toBe('');
      expect(text.length, key).toBeLessThan(120);
      if (/\w+ \w+ \w+/.test(key)) expect(text, language).not.toBe(key);
    }
  });

  it('has names of sheets that Excel takes as they are', () => {
    for (const name of ['Gaps and oddities', 'Open balances', 'Cost breakdown', 'Data quality', 'About'] as const) {
      expect(texts[name], name).toMatch(/^[^[\]:*?/\\']{1,31}$/);
    }
  });
});

it('French has its narrow no-break spaces', () => {
  for (const text of Object.values(exportTexts.fr)) expect(text).not.toMatch(/[^\u202F]\?| [:;]|[^\u202F:]:/u);
});

it('English is said as it stands, in brackets what is the same in every language', () => {
  expect(languages.map((language) => sayIn(language)('Energy', 'kWh'))).toEqual([
    'Energy (kWh)',
    'Energie (kWh)',
    'Énergie (kWh)',
    'Energía (kWh)',
    'Energie (kWh)',
    'Energia (kWh)',
  ]);
});

it('every text is said somewhere', () => {
  const files = globSync('{server/http,server/domain}/*.ts', { cwd: `${import.meta.dirname}/../..` });
  const sources = files
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(`${import.meta.dirname}/../../${file}`, 'utf8'))
    .join('\n');
  const templates = { day: 'Energy by day', month: 'Energy by month' };
  expect(english.filter((text) => !sources.includes(`'${text}'`))).toEqual(Object.values(templates));
});
