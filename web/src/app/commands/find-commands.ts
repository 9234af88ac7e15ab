import { plainText, rankOf, searchedWords, worstRank } from '../../../../shared/search-text.ts';

export type CommandKind = 'page' | 'action' | 'board' | 'site' | 'device' | 'customer';

export interface Command {
  /** The key of the command, unique among all commands. */
  id: string;
  kind: CommandKind;
  label: string;
  /** Distinguishes commands with the same name. The search covers it, too. */
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

/** The maximum number of commands of a kind. To see more, the user types more. */
export const shownMax = 20;

/** A command with the texts that the search compares. */
export interface Searchable {
  command: Command;
  label: string;
  text: string;
  /** Whether the portal found it, which also compares texts that the page does not have. */
  isFound: boolean;
}

export function searchable(commands: readonly Command[], isFound = false): Searchable[] {
  return commands.map((command) => {
    const label = plainText(command.label);
    return { command, label, text: `${label} ${plainText(command.hint)}`, isFound };
  });
}

/** How many more commands of a kind match than the portal has sent. */
export type Unsent = Partial<Record<CommandKind, number>>;

/** The kind with the best match comes first. Within a kind, better matches come first, then the order of the list. */
export function findCommands(all: readonly Searchable[], search: string, unsent: Unsent = {}): FoundCommands[] {
  const words = searchedWords(search);
  const ranked = all.flatMap((one) => {
    const rank = rankOfCommand(one, words);
    return rank === null ? [] : [{ command: one.command, rank }];
  });
  ranked.sort((one, other) => one.rank - other.rank);
  return [...Map.groupBy(ranked, ({ command }) => command.kind)].map(([kind, found]) => ({
    kind,
    commands: found.slice(0, shownMax).map(({ command }) => command),
    more: Math.max(0, found.length - shownMax) + (unsent[kind] ?? 0),
  }));
}

/** Null if the command lacks one of the words. Without any word, only pages and actions are listed. */
function rankOfCommand({ command: { kind }, label, text, isFound }: Searchable, words: readonly string[]) {
  if (words.length === 0) return kind === 'page' || kind === 'action' ? 0 : null;
  return rankOf(words, label, text) ?? (isFound ? worstRank : null);
}
