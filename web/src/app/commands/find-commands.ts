import { plainText, searchedWords } from '../../lib/search-text.ts';

export type CommandKind = 'page' | 'action' | 'board' | 'site' | 'device' | 'customer';

export interface Command {
  /** Unique among all. */
  id: string;
  kind: CommandKind;
  label: string;
  /** Distinguishes commands of the same name; searched too. */
  hint: string;
  /** The shortcut that does the same without the palette. */
  keys?: string;
  run: () => void;
}

export interface FoundCommands {
  kind: CommandKind;
  commands: Command[];
  /** How many more commands match than are shown. */
  more: number;
}

/** More of a kind are narrowed by typing rather than by reading. */
const shownMax = 20;

/** A command with what the search compares. */
export interface Searchable {
  command: Command;
  label: string;
  text: string;
}

export function searchable(commands: readonly Command[]): Searchable[] {
  return commands.map((command) => {
    const label = plainText(command.label);
    return { command, label, text: `${label} ${plainText(command.hint)}` };
  });
}

/** The kind with the best match comes first. Within a kind, better matches come first, then the order of the list. */
export function findCommands(all: readonly Searchable[], search: string): FoundCommands[] {
  const words = searchedWords(search);
  const ranked = all.flatMap((one) => {
    const rank = rankOf(one, words);
    return rank === null ? [] : [{ command: one.command, rank }];
  });
  ranked.sort((one, other) => one.rank - other.rank);
  return [...Map.groupBy(ranked, ({ command }) => command.kind)].map(([kind, found]) => ({
    kind,
    commands: found.slice(0, shownMax).map(({ command }) => command),
    more: Math.max(0, found.length - shownMax),
  }));
}

/** Null if a word is missing. Without any word only pages and actions are listed, because nothing narrows down the rest. */
function rankOf({ command: { kind }, label, text }: Searchable, words: readonly string[]): number | null {
  if (words.length === 0) return kind === 'page' || kind === 'action' ? 0 : null;
  if (!words.every((word) => text.includes(word))) return null;
  const whole = words.join(' ');
  if (label === whole) return 0;
  if (label.startsWith(whole)) return 1;
  if (words.every((word) => ` ${label}`.includes(` ${word}`))) return 2;
  return words.every((word) => label.includes(word)) ? 3 : 4;
}
