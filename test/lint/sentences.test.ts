import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { sentences as dutch } from '../../shared/sentences-nl.ts';
import { sentences as french } from '../../shared/sentences-fr.ts';
import { sentences as german } from '../../shared/sentences-de.ts';
import { sentences as italian } from '../../shared/sentences-it.ts';
import { sentences as spanish } from '../../shared/sentences-es.ts';
import { identifySentence } from '../../shared/sentences.ts';

const root = `${import.meta.dirname}/../..`;

/** Refusals that nobody reads in the page, by their file or by how they begin: these stay English. */
const unread: Record<string, readonly string[]> = {
  'commands, and the start of the portal': [
    'server/*.ts',
    'server/files/**',
    'server/commands/{backup,restore}.ts',
    'server/db/{choose-engine,restore}.ts',
  ],
  'gateways, Clients that push, and whoever reads metrics': [
    'server/http/{fleet-ingest,fleet-sets,list-upload,metrics,reconcile,unread-answers}.ts',
    'server/commands/{fleet-batches,fleet-ingest,fleet-sets}.ts',
    'X-Customer-Token is',
    'The API key is unknown or revoked',
  ],
  'the page asks only as the portal takes it': [
    'server/http/ranges.ts',
    'deviceId is',
    'flagLimit takes',
    'cursor: takes',
    'changes: the tariff',
    'Send the logo as a file',
    'The form ',
    'The multipart form ',
    'This endpoint accepts no Content-Encoding',
  ],
  'a proxy speaks HTTP in another way': ['The header Host is missing', 'An export needs HTTP/1.1'],
  'no browser shows why a web socket was refused': ['Too many web sockets are open'],
  'nobody is answered with it': [
    'The client went away',
    'Too much work is waiting for the event loop',
    'The download took longer than a quarter of an hour',
    'The download was too slow while others waited',
  ],
};

/** What stands for a value that a sentence is made with. */
const someValue = '0';

/** The sentences that the `DomainError`s of a file are made with; one that is put together elsewhere is a value. */
function listRefusals(file: string): string[] {
  const found: string[] = [];
  const { program } = parseSync(file, readFileSync(`${root}/${file}`, 'utf8'));
  new Visitor({
    NewExpression({ callee, arguments: [, sentence] }) {
      if (callee.type === 'Identifier' && callee.name === 'DomainError') found.push(...wordsOf(sentence));
    },
  }).visit(program);
  return found;
}

function wordsOf(sentence: ESTree.Argument | ESTree.PrivateIdentifier | undefined): string[] {
  switch (sentence?.type) {
    case 'Literal':
      return [String(sentence.value)];
    case 'TemplateLiteral':
      return [sentence.quasis.map(({ value }) => value.cooked ?? '').join(someValue)];
    case 'ConditionalExpression':
      return [...wordsOf(sentence.consequent), ...wordsOf(sentence.alternate)];
    case 'BinaryExpression':
      return wordsOf(sentence.left).flatMap((left) => wordsOf(sentence.right).map((right) => left + right));
    default:
      return [someValue];
  }
}

/** Whether a sentence has a code, and what is said of its parameters in any language is a value or has one too. */
function isTranslated(words: string): boolean {
  const said = identifySentence(words);
  if (said === null) return new RegExp(`^(?:\\w+: )?${someValue}\\.?$`).test(words);
  const { code, params } = said;
  return Object.entries(params).every(([name, value]) => {
    const isSaid = [dutch, french, german, italian, spanish].some((catalogue) => catalogue[code].includes(`{${name}}`));
    return !isSaid || !/(?:^|\s)[a-z]{2,}/.test(value) || isTranslated(value);
  });
}

it('every refusal that a person can meet in the page has its words in every language', () => {
  const exceptions = Object.values(unread).flat();
  const needed = new Set<string>();
  const wordless: string[] = [];
  for (const file of globSync('server/**/*.ts', { cwd: root }).filter((name) => !name.endsWith('.test.ts'))) {
    for (const words of listRefusals(file).filter((refusal) => !isTranslated(refusal))) {
      const found = exceptions.filter((one) => matchesGlob(file, one) || words.startsWith(one));
      if (found.length === 0) wordless.push(`${file}: ${words}`);
      for (const one of found) needed.add(one);
    }
  }
  expect(wordless).toEqual([]);
  expect(exceptions.filter((one) => !needed.has(one))).toEqual([]);
});
