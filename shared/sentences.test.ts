import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { sentences as french } from './sentences-fr.ts';
import { sentences as german } from './sentences-de.ts';
import { identifySentence, sentences, translateSentence } from './sentences.ts';

describe('the sentences of the portal', () => {
  const all = Object.entries(sentences);

  it.each(all)('%s is known by its code, with its parameters', (code, template) => {
    const params: Record<string, string> = {};
    const said = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (params[name] = `<${name}>`));
    expect(identifySentence(`${said}.`)).toEqual({ code, params });
  });

  it('are said by the portal in these words: no code is left over', () => {
    const root = `${import.meta.dirname}/..`;
    const files = globSync('{server,shared}/**/*.ts', { cwd: root }).filter(
      (file) => !file.includes('.test.') && !/^shared\/sentences|export-texts/.test(file),
    );
    const literal = /'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\$]|\\.|\$(?!\{)|\$\{(?:[^{}]|\{[^{}]*\})*\})+)`/g;
    const said = new Set<string>();
    const note = (words: string): void => {
      const found = identifySentence(words);
      if (found === null) return;
      said.add(found.code);
      for (const part of Object.values(found.params)) note(part);
    };
    for (const file of files) {
      for (const [, text, template] of readFileSync(`${root}/${file}`, 'utf8').matchAll(literal)) {
        note((text ?? template ?? '').replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, 'x'));
      }
    }
    expect(all.map(([code]) => code).filter((code) => !said.has(code))).toEqual([]);
  });
});

it('a sentence is said in the language of the reader, its parts with it', () => {
  expect(translateSentence('The email or the password is wrong.', german)).toBe('E-Mail oder Passwort ist falsch.');
  expect(
    translateSentence(
      '1 rejected, the first at 0: municipalityId: there is no municipality 018f; push the municipalities first',
      german,
    ),
  ).toBe(
    '1 abgewiesen, der erste unter 0: municipalityId: die Gemeinde ist noch nicht angekommen; zuerst die Gemeinden senden',
  );
  expect(translateSentence('There is no such tariff.', german)).toBe('Das gibt es nicht: Tarif.');
  expect(translateSentence('email: there is already an account with a@b.de; choose another email.', german)).toBe(
    'email: es gibt schon ein Konto mit a@b.de; wählen Sie eine andere E-Mail-Adresse.',
  );
  expect(translateSentence('name: must have at most 200 characters; got a text of 300 characters.', german)).toBe(
    'name: darf höchstens 200 Zeichen haben; gekommen ist ein Text mit 300 Zeichen.',
  );
  expect(translateSentence('voltageV is -1; it takes a number of V, 0 or more, or null', french)).toBe(
    'voltageV\u202F: reçu -1\u202F; il faut un nombre en V, 0 ou plus, ou null',
  );
});

it.each([german, french])('where JSON breaks is said to the sender alone: it is no language of a reader', (readers) => {
  const sentence = `The body is not valid JSON (Unexpected token 'N', "[{"a":NaN" is not valid JSON); nothing was stored.`;
  const said = translateSentence(sentence, readers);
  expect(said).toMatch(/JSON/);
  expect(said).not.toMatch(/Unexpected|[{(]/);
  expect(identifySentence(sentence)?.params['reason']).toMatch(/^Unexpected/);
});

it('a refusal about a tree of meters, or a row of a table, is said whole', () => {
  const say = (sentence: string) => translateSentence(sentence, german);
  expect(
    say(
      'The device has sub-meters, "hall", "press", "office", +2; let them measure a part of another one, or of none, to delete it.',
    ),
  ).toBe(
    'Das Gerät hat Unterzähler: "hall", "press", "office", +2; um es zu löschen, lassen Sie sie einen Teil eines anderen oder von keinem messen.',
  );
  expect(
    say(
      'Row 2, parentExternalId: "Main" measures a part of this device; choose one that does not, or null. Nothing was created.',
    ),
  ).toBe(
    'Zeile 2, parentExternalId: „Main“ misst selbst einen Teil dieses Geräts; wählen Sie ein anderes. Nichts wurde angelegt.',
  );
});

it('a whole ingest that was refused is said in words, also of whoever sent it', () => {
  const say = (sentence: string) => translateSentence(sentence, german);
  expect(say('The decoded body is larger than 33554432 bytes; send fewer rows at a time, nothing was stored.')).toBe(
    'Die Anfrage ist größer als 33554432 Bytes; senden Sie weniger Zeilen auf einmal, nichts wurde gespeichert.',
  );
  expect(say('Content-Encoding is "br"; it takes gzip, zstd or identity.')).toBe(
    'Content-Encoding: gekommen ist "br", erwartet wird gzip, zstd oder identity.',
  );
});

it('how long a range may be is said with its number alone', () => {
  expect(translateSentence('to: the range may have at most 36600 days; got 3652058.', german)).toBe(
    'to: der Zeitraum darf höchstens 36600 Tage haben; es sind 3652058.',
  );
});

it('a value out of its bounds is told without the words of a validator', () => {
  expect(translateSentence('ratedPowerKw: must be more than 0; got -3.', german)).toBe(
    'ratedPowerKw: muss größer als 0 sein; gekommen ist -3.',
  );
  expect(translateSentence('must be one of auto, register, power; got "sun"', french)).toBe(
    'doit être l’une de ces valeurs\u202F: auto, register, power\u202F; reçu\u202F: "sun"',
  );
});

it('what somebody typed is never translated, and a sentence without a code stays', () => {
  expect(translateSentence('name: there is already a site named "device"; choose another name.', german)).toBe(
    'name: „device“ gibt es schon; wählen Sie einen anderen Namen.',
  );
  expect(translateSentence('Something new has happened.', german)).toBe('Something new has happened.');
});

it.each([
  '; is ; it takes '.repeat(60),
  'The range has '.concat(', more than '.repeat(80), ';'),
  `${'a '.repeat(400)} days; got ; ;`,
  'a: '.repeat(330),
  `${'x; got '.repeat(140)};`,
  'row row has has '.repeat(60),
])('what somebody typed takes no long search: %j', (typed) => {
  const searched = vi.spyOn(String.prototype, 'indexOf');
  const matched = vi.spyOn(RegExp.prototype, 'exec');
  translateSentence(typed, german);
  // A pattern a code for each part of the sentence would be 40,000.
  expect(matched.mock.calls.length).toBeLessThan(1_000);
  matched.mockRestore();
  // Tried from every place to every other one it would be hundreds of thousands.
  expect(searched.mock.calls.length).toBeLessThan(20_000);
  searched.mockRestore();
});

it('a text that is too long to be ours is not searched', () => {
  expect(identifySentence(`There is no such ${'x'.repeat(1000)}.`)).toBeNull();
});
