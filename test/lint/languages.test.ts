import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { alarmTexts } from '../../messages/en/alarms.ts';
import { mailTexts } from '../../messages/en/mails.ts';
import { customerStateNames, deviceStateNames } from '../../messages/en/page/states.ts';
import { own } from '../../messages/en/tool.ts';
import { starting } from '../../messages/en/starting.ts';
import { common } from '../../messages/en/page/common.ts';
import { rangePresets } from '../../shared/time.ts';
import { languages, type Translated } from '../../shared/messages.ts';

const root = join(import.meta.dirname, '../..');
const translations = languages.filter((language) => language !== 'en');
/** Whether a file has a table or a list of languages: it names three that are not English. */
const namesLanguages = (text: string) =>
  translations.filter((language) => new RegExp(`(?:^|[\\s'"{,/])${language}['":/]`, 'm').test(text)).length > 2;

it('a seventh language is a folder of texts and a line in one file', () => {
  const files = globSync(
    '{server,shared,web/src,web/build,web/first,dashboards/page,dashboards/server}/**/*.{ts,tsx}',
    {
      cwd: root,
      exclude: ['**/node_modules/**', '**/*.test.{ts,tsx}'],
    },
  );
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => namesLanguages(readFileSync(join(root, file), 'utf8')))).toEqual([
    'shared/messages.ts',
  ]);
});

it('with its folder and its line, a seventh language is in the page and in workbooks', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'seventh-language-'));
  try {
    const catalogue = 'web/src/lib/i18n/catalogue.ts';
    for (const file of [
      'package.json',
      'messages',
      'shared',
      'server/http/translations.ts',
      'server/reports/say.ts',
      catalogue,
    ])
      cpSync(join(root, file), join(copy, file), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    cpSync(join(copy, 'messages/de'), join(copy, 'messages/sv'), { recursive: true });
    const list = join(copy, 'shared/messages.ts');
    writeFileSync(list, readFileSync(list, 'utf8').replace("'it'] as const", "'it', 'sv'] as const"));
    const outDir = join(copy, 'dist');
    const lib = { entry: join(copy, catalogue), formats: ['es' as const], fileName: 'catalogue' };
    await build({ configFile: false, root: copy, logLevel: 'silent', build: { outDir, lib } });
    const code = `
      import { languages } from '${copy}/shared/messages.ts';
      import { sayIn } from '${copy}/server/reports/say.ts';
      import { loadFirstMessages, loadMessages } from '${outDir}/catalogue.js';
      const language = languages.at(-1);
      const { common } = await loadFirstMessages(language);
      const { terms, palette } = await loadMessages(language, 'pages');
      const message = { code: 'wrongPassword', params: {} };
      const said = sayIn(language);
      console.log(JSON.stringify([language, common.save, terms.site, palette.found, said('Cost'), said.message('', message)]));`;
    const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
    expect(JSON.parse(said)).toEqual(['sv', 'Speichern', 'Standort', 'Treffer', 'Kosten', 'Das Passwort ist falsch']);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

it.each(translations)('%s: pages, tool and exports name the states alike', (language) => {
  const texts = z.record(z.string(), z.string());
  const named = z.object({ state: texts, customerState: texts });
  const read = (name: string): unknown =>
    JSON.parse(readFileSync(join(root, 'messages', language, `${name}.json`), 'utf8'));
  const { state, customerState } = z.object({ sites: named }).parse(read('page/pages')).sites;
  const tool = z.object({ own: z.object({ states: texts, customerStates: texts }) }).parse(read('tool')).own;
  const exported = texts.parse(read('exports'));
  const ofExports = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(names).map(([key, name]) => [key, exported[name]]));
  expect(state).toMatchObject(tool.states);
  expect(customerState).toEqual(tool.customerStates);
  expect([tool.states, tool.customerStates]).toEqual([deviceStateNames, customerStateNames].map(ofExports));
});

it.each(translations)(
  '%s has its texts: of alarms, errors, workbooks, mails, the start, the tool, and the page by load stage',
  (language) => {
    expect(globSync('**/*', { cwd: join(root, 'messages', language) }).toSorted()).toEqual([
      'alarms.json',
      'errors.json',
      'exports.json',
      'mails.json',
      'page',
      'page/first.json',
      'page/fleet.json',
      'page/numbers.json',
      'page/pages.json',
      'page/settings.json',
      'starting.json',
      'tool.json',
    ]);
  },
);

/** The placeholders of each text, by its key. */
const shapeOf = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]: [string, unknown]) => [
      key,
      typeof text === 'object' && text !== null ? shapeOf(text) : (String(text).match(/\{\w+\}/g) ?? []).toSorted(),
    ]),
  );
const read = (file: string): unknown => JSON.parse(readFileSync(join(root, 'messages', file), 'utf8'));

it.each(translations)(
  '%s has all texts of the start, the tool, mails and alarms, with the same placeholders',
  (language) => {
    const tool = read(`${language}/tool.json`) as { own: Translated<typeof own> };
    expect(shapeOf(tool.own)).toEqual(shapeOf(own));
    expect(shapeOf(read(`${language}/starting.json`) as object)).toEqual(shapeOf(starting));
    expect(shapeOf(read(`${language}/mails.json`) as object)).toEqual(shapeOf(mailTexts));
    expect(shapeOf(read(`${language}/alarms.json`) as object)).toEqual(shapeOf(alarmTexts));
    expect(JSON.stringify(tool)).not.toMatch(/""|\.\.\.|" | "/);
  },
);

it.each(languages)('a time range has the same name in the tool as in the portal: %s', (language) => {
  const isEnglish = language === 'en';
  const tool = isEnglish ? own : (read(`${language}/tool.json`) as { own: Translated<typeof own> }).own;
  const page = isEnglish
    ? common
    : (read(`${language}/page/first.json`) as { common: Translated<typeof common> }).common;
  const ofPage = rangePresets.map((name) => [name, page.timeRange[name]]);
  expect(rangePresets.map((name) => [name, tool.presets[name]])).toEqual(ofPage);
});
