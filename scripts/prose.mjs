// Whether documents and English texts keep to the words of docs/glossary.md, in sentences that are short enough.
// Node splits sentences itself (`Intl.Segmenter`). textlint with two rules would bring 203 packages and 56 MB, and would
// still need a plugin of our own for the glossary and for texts in TypeScript.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, root, say } from './project.mjs';

/** The longest sentence. The aim is 20 words; above this length nobody understands it at the first reading. */
const maxWords = 30;

const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/**/*.md'];
/** It lists the words that are not used. */
const glossary = 'docs/glossary.md';
/** The English catalogue; the other languages follow its meaning. */
const texts = ['messages/en/**/*.ts'];
/** With fewer, the texts have moved away from here. */
const leastTexts = 1_000;

/**
 * The words that the glossary replaces, from the columns headed `Not`. An entry with a remark in parentheses depends on its
 * context, so only a reader can judge it.
 * @param {string} markdown
 * @returns {string[]}
 */
export function bannedWords(markdown) {
  /** @type {string[]} */
  const banned = [];
  let column = -1;
  for (const line of markdown.split('\n')) {
    const cells = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
    if (cells.length === 0) column = -1;
    else if (cells.includes('Not')) column = cells.indexOf('Not');
    else if (column >= 0 && !/^-+$/.test(cells[column] ?? '')) {
      const entries = (cells[column] ?? '').split(/,(?![^(]*\))/).map((entry) => entry.trim());
      banned.push(...entries.filter((entry) => entry !== '' && !entry.includes('(')));
    }
  }
  return banned;
}

/**
 * The paragraphs, list items, headings and table cells of a document, without code, addresses and emphasis.
 * @param {string} markdown
 * @returns {{ line: number, text: string }[]}
 */
export function blocksOf(markdown) {
  /** @type {{ line: number, text: string }[]} */
  const blocks = [];
  let isOpen = false;
  let isCode = false;
  for (const [place, line] of markdown.split('\n').entries()) {
    const isFence = line.trimStart().startsWith('```');
    if (isFence) isCode = !isCode;
    if (isFence || isCode || line.trim() === '' || /^\|[\s|:-]+$/.test(line)) {
      isOpen = false;
      continue;
    }
    if (line.startsWith('|')) {
      for (const cell of line.split(/(?<!\\)\|/)) blocks.push({ line: place + 1, text: plain(cell) });
      continue;
    }
    const start = /^\s*(?:[-*] |\d+\. |#+ |> )/.exec(line)?.[0];
    const last = blocks.at(-1);
    if (isOpen && start === undefined && last !== undefined) last.text = plain(`${last.text} ${line.trim()}`);
    else blocks.push({ line: place + 1, text: plain(line.slice(start?.length ?? 0)) });
    isOpen = !line.startsWith('#');
  }
  return blocks.filter(({ text }) => text !== '');
}

/** @param {string} text */
const plain = (text) =>
  text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, 'Code')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('**', '')
    .trim();

/**
 * What is wrong with a text: sentences that are too long, and words that the glossary replaces.
 * @param {string} text
 * @param {readonly string[]} banned
 * @returns {string[]}
 */
export function faultsOf(text, banned) {
  const sentences = [...new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)];
  const long = sentences
    .map(({ segment }) => segment.trim())
    .map((sentence) => ({ sentence, words: sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length }))
    .filter(({ words }) => words > maxWords)
    .map(({ sentence, words }) => `${words} words, at most ${maxWords}: "${sentence}"`);
  const found = banned
    .filter((word) => new RegExp(`(?<![\\p{L}-])${RegExp.escape(word)}(?![\\p{L}-])`, 'iu').test(text))
    .map((word) => `"${word}" in "${text}"`);
  return [...long, ...found];
}

/**
 * The texts in a catalogue, with their arguments filled in.
 * @param {unknown} catalogue
 * @returns {string[]}
 */
export function textsIn(catalogue) {
  if (typeof catalogue === 'string') return catalogue.includes(' ') ? [filled(catalogue)] : [];
  return typeof catalogue === 'object' && catalogue !== null ? Object.values(catalogue).flatMap(textsIn) : [];
}

/** @param {string} text */
const filled = (text) =>
  text
    .replaceAll(/\{\w+(?:, (?:number|date|time)[^{}]*)?\}/g, 'x')
    .replaceAll(/\{\w+,\s*(?:plural|select|selectordinal),(?:[^{}]|\{[^{}]*\})*?\bother\s*\{([^{}]*)\}\s*\}/g, '$1')
    .replaceAll(/<\/?\w+>/g, '');

if (import.meta.main) {
  await main(async () => {
    const banned = bannedWords(readFileSync(join(root, glossary), 'utf8'));
    const faults = globSync(documents, { cwd: root })
      .toSorted()
      .filter((file) => file !== glossary)
      .flatMap((file) =>
        blocksOf(readFileSync(join(root, file), 'utf8')).flatMap(({ line, text }) =>
          faultsOf(text, banned).map((fault) => `${file}:${line}: ${fault}`),
        ),
      );
    let count = 0;
    for (const file of globSync(texts, { cwd: root }).toSorted()) {
      const found = textsIn(await import(join(root, file)));
      count += found.length;
      faults.push(...new Set(found.flatMap((text) => faultsOf(text, banned)).map((fault) => `${file}: ${fault}`)));
    }
    if (count < leastTexts)
      faults.push(`only ${count} texts in ${texts.join(', ')}: name their folders in scripts/prose.mjs`);
    for (const fault of faults) say(fault);
    if (faults.length > 0) say(`Sentences have at most ${maxWords} words; ${glossary} says what to write instead.`);
    return faults.length === 0 ? 0 : 1;
  });
}
