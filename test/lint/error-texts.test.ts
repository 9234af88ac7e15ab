import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiErrors, apiProblems, pageErrors, problems, templates, terms } from '../../messages/en/errors.ts';
import { languages } from '../../shared/messages.ts';

const root = `${import.meta.dirname}/../..`;
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

it.each(languages.filter((language) => language !== 'en'))(
  '%s has the errors, problems and terms of the page, with no placeholder that English lacks',
  async (language) => {
    const { default: texts }: { default: Record<string, string> } = await import(
      `../../messages/${language}/errors.json`,
      { with: { type: 'json' } }
    );
    const codes = Object.keys({ ...pageErrors, ...problems, ...terms });
    expect(Object.keys(texts).toSorted()).toEqual(codes.toSorted());
    const strange = codes.filter((code) => {
      const english = new Set([...placeholders(templates[code] ?? ''), 'field', 'got']);
      return placeholders(texts[code] ?? '').some((name) => !english.has(name));
    });
    expect(strange).toEqual([]);
  },
);

it('each code is in one list, and used', () => {
  const lists = [pageErrors, apiErrors, problems, apiProblems, terms].flatMap((list) => Object.keys(list));
  expect(lists.length).toBe(new Set(lists).size);
  const sources = globSync('{server,dashboards/server,shared,web/src}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
    .join('\n');
  const written = new Set(sources.match(/(?<=')\w+(?=')/g));
  // The suffix is added to any text about a value.
  expect(lists.filter((code) => code !== 'got' && !written.has(code))).toEqual([]);
});

it('the text of an answer is only in the table of errors', () => {
  const files = globSync('{server,dashboards/server}/**/*.ts', { cwd: root });
  const makers = files.filter((file) => readFileSync(`${root}/${file}`, 'utf8').includes('new DomainError('));
  expect(makers).toEqual(['server/base/errors.ts']);
});
