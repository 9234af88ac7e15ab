import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOfMessage } from '../../scripts/commits.mjs';
import { bannedWords, blocksOf, faultsOf, textsIn } from '../../scripts/prose.mjs';

const words = (count: number) => `A${' word'.repeat(count - 1)}`;

describe('documents and texts have short sentences and the words of the glossary', () => {
  it('rejects the words that the glossary replaces, except those that depend on their context', () => {
    const banned = bannedWords(readFileSync(join(import.meta.dirname, '../../docs/glossary.md'), 'utf8'));
    expect(banned).toEqual(expect.arrayContaining(['meanwhile', 'counted energy', 'in step']));
    expect(banned.filter((word) => /[(|]/.test(word))).toEqual([]);
    expect(bannedWords('| Word | Not |\n| - | - |\n| gap | hole, pit (in texts), (for a, b) c |\n\n| a | b |')).toEqual(
      ['hole'],
    );
  });

  it('reports a sentence of 31 words and one of a banned word, in any case', () => {
    expect(faultsOf(`${words(30)}. ${words(30)}.`, [])).toEqual([]);
    expect(faultsOf(`Short. ${words(31)}.`, [])).toHaveLength(1);
    expect(faultsOf('Meanwhile it waits.', ['meanwhile'])).toEqual(['"meanwhile" in "Meanwhile it waits."']);
    expect(faultsOf('The wholesale price.', ['hole'])).toEqual([]);
  });

  it('reads paragraphs, items, headings and cells of a document, without code and addresses', () => {
    const document = [
      '# A *title*',
      'One `const a = 1` line',
      'and [another](https://example.com/meanwhile).',
      '- An item',
      '  of two lines',
      '- Another',
      '',
      '```',
      'meanwhile',
      '```',
      '| A cell | `code` |',
      '| ------ | ------ |',
    ].join('\n');
    expect(blocksOf(document)).toEqual([
      { line: 1, text: 'A *title*' },
      { line: 2, text: 'One Code line and another.' },
      { line: 4, text: 'An item of two lines' },
      { line: 6, text: 'Another' },
      { line: 11, text: 'A cell' },
      { line: 11, text: 'Code' },
    ]);
  });

  it('reads the texts of a catalogue, whatever their depth, with arguments filled in', () => {
    const catalogue = {
      conflict: ['invalid', '{count, plural, one {# day of {name}} other {# days of {name}}} changed', 5],
      nested: { hint: '<b>At most</b> {n, number} rows' },
    };
    expect(textsIn(catalogue)).toEqual(['# days of x changed', 'At most x rows']);
  });
});

describe('a commit has an imperative subject of at most 72 characters, and a wrapped body', () => {
  it.each([
    ['Reject batches with a stale cursor'],
    ['Address review\n\nThe reason, wrapped at 72 characters.'],
    ['Test: pass a scope'],
    [`Bump Node\n\nhttps://example.com/${'a'.repeat(80)}`],
  ])('accepts %j', (message) => {
    expect(faultsOfMessage(message)).toEqual([]);
  });

  it.each([
    ['reject batches', 'capital letter'],
    ['Rejected batches', '"rejected"'],
    ['Rejecting batches', '"rejecting"'],
    ['Rejects batches', '"rejects"'],
    ['Test: totals of customers', '"totals"'],
    ['Reject batches.', 'full stop'],
    [`Reject ${'a'.repeat(66)}`, '73 characters'],
    ['Reject batches\nThe reason.', 'empty line'],
    [`Reject batches\n\n${'word '.repeat(16)}`, '76 characters'],
  ])('rejects %j', (message, fault) => {
    expect(faultsOfMessage(message)).toEqual([expect.stringContaining(fault)]);
  });
});
