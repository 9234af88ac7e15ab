import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compile from 'icu-minify/compile';
import format from 'icu-minify/format';
import { describe, expect, it } from 'vitest';
import { createTranslator } from 'use-intl/core';
import { loadFirstMessages, loadMessages } from './catalogue.ts';
import { type Language, languages } from '../../../../shared/messages.ts';

type Tree = { readonly [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ''): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    const path = prefix === '' ? key : `${prefix}.${key}`;
    if (typeof value === 'string') flat.set(path, value);
    else for (const [inner, text] of flatten(value, path)) flat.set(inner, text);
  }
  return flat;
}

/** Names of ICU arguments and tags: braces alternate between an argument and the text in one of its cases. */
function placeholders(message: string): string[] {
  const found = new Set<string>();
  let depth = 0;
  for (const { 0: token, groups } of message.matchAll(/\{\s*(?<argument>\w+)?|\}|<(?<tag>\w+)>/g)) {
    if (groups?.tag !== undefined) found.add(`<${groups.tag}>`);
    else if (token === '}') depth -= 1;
    else {
      if (depth % 2 === 0 && groups?.argument !== undefined) found.add(groups.argument);
      depth += 1;
    }
  }
  return [...found].toSorted();
}

const load = async (language: Language) =>
  flatten({
    ...(await loadFirstMessages(language)),
    ...(await loadMessages(language, 'pages')),
    ...(await loadMessages(language, 'settings')),
    ...(await loadMessages(language, 'fleet')),
  });
const english = await load('en');

describe.each(languages)('the %s catalogue', async (locale) => {
  const messages = await load(locale);

  it('has exactly the keys of the English one', () => {
    expect([...messages.keys()]).toEqual([...english.keys()]);
  });

  it('has the same placeholders in every message', () => {
    for (const [key, message] of messages) {
      expect(placeholders(message), key).toEqual(placeholders(english.get(key) ?? ''));
    }
  });

  it('has no empty message and no straight ellipsis or stray space', () => {
    for (const [key, message] of messages) {
      expect(message.trim(), key).toBe(message);
      expect(message, key).not.toBe('');
      expect(message, key).not.toContain('...');
    }
  });

  it('has no straight apostrophe, which ICU takes for a quote', () => {
    for (const [key, message] of messages) expect(message, key).not.toContain("'");
  });

  it('has only messages that ICU can format', () => {
    const nested: Record<string, string> = Object.fromEntries(
      [...messages].map(([key, message]) => [key.replaceAll('.', '_'), message]),
    );
    const problems: string[] = [];
    const t = createTranslator<Record<string, string>>({
      locale,
      messages: nested,
      timeZone: 'UTC',
      onError: (error) => problems.push(error.message),
    });
    for (const [key, message] of messages) {
      const values = Object.fromEntries(
        placeholders(message).map((name) =>
          name.startsWith('<') ? [name.slice(1, -1), (chunks: string) => chunks] : [name, 1],
        ),
      );
      t.markup(key.replaceAll('.', '_'), values);
    }
    expect(problems).toEqual([]);
  });

  it('is the same when its texts are precompiled', () => {
    const formatters = {
      getNumberFormat: (...options: Parameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...options),
      getDateTimeFormat: (...options: Parameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...options),
      getPluralRules: (...options: Parameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...options),
    };
    for (const [key, message] of messages) {
      const t = createTranslator<{ text: string }>({ locale, messages: { text: message }, timeZone: 'UTC' });
      const choices = [...message.matchAll(/\b(?<choice>\w+) \{/g)].map(({ groups }) => groups?.choice ?? '');
      for (const [index, number] of [0, 1, 2, 0.25, 12_345, ...choices.map(() => 3)].entries()) {
        const choice = choices[index] ?? 'other';
        const valueOf = (name: string) => (message.includes(`{${name}, select`) ? choice : number);
        const values = Object.fromEntries(
          placeholders(message).map((name) =>
            name.startsWith('<') ? [name.slice(1, -1), (chunks: string) => `(${chunks})`] : [name, valueOf(name)],
          ),
        );
        const built = format(compile(message), locale, values, { formatters, timeZone: 'UTC' });
        expect(built, `${key} with ${number} and ${choice}`).toBe(t.markup('text', values));
      }
    }
  });
});

it.each(languages)(
  'names of pages fit into a fifth of 390 px, and no word is wider than a tile: %s',
  async (language) => {
    const messages = await load(language);
    for (const page of ['overview', 'dashboards', 'measurements', 'sites', 'alarms', 'customers', 'settings']) {
      expect(messages.get(`shell.${page}`)?.length, page).toBeLessThanOrEqual(13);
    }
    for (const [key, message] of messages) {
      const words = message.split(/[^\p{L}’]+/u).filter((word) => !key.endsWith('Name') && word.length > 24);
      expect(words, key).toEqual([]);
    }
  },
);

it.each(languages.filter((language) => language !== 'en'))('no sentence is left in English: %s', async (language) => {
  const left = [...(await load(language))].filter(
    ([key, message]) => message === english.get(key) && /\w+ \w+ \w+/.test(message),
  );
  expect(left).toEqual([]);
});

it.each(languages.filter((language) => language !== 'en'))(
  'a range fits in as a day or as a month: %s',
  async (language) => {
    for (const [key, message] of await load(language)) {
      expect(message, key).not.toMatch(/\s(?:à|a|da|de|di|en|in) \{range\}/u);
    }
  },
);

it('French has its narrow no-break spaces', async () => {
  for (const [key, message] of await load('fr')) {
    expect(message, key).not.toMatch(/[^\u202F][?!»]| [:;]|«[^\u202F]/u);
  }
});

it('the texts of the settings are used only where they are loaded: in the settings, the tariffs and reports by mail', async () => {
  const namespaces = Object.keys(await loadMessages('en', 'settings')).join('|');
  const key = new RegExp(`useTranslations\\('(?:${namespaces})\\b|\\bt\\w*\\(['\`](?:${namespaces})\\.`);
  const src = join(import.meta.dirname, '../..');
  const users = globSync('**/*.{ts,tsx}', { cwd: src }).filter((file) =>
    key.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(users.length).toBeGreaterThan(20);
  expect(users.filter((file) => !/^features\/(?:settings|rates|reports)\//.test(file))).toEqual([
    'entities/WeekTimeRow.tsx',
  ]);
});
