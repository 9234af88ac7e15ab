// The commands, options and words that the portal and its scripts accept. This is JavaScript without imports: scripts read it
// before they install anything, and the portal reads it before it compiles anything.

/**
 * @typedef {object} Program
 * @property {string} call How it is called.
 * @property {string} does What it does, in a sentence.
 * @property {Readonly<Record<string, string>>} [words] The words it takes, each with its meaning: `name`, `--flag`, `--option <value>` (also
 *   with `=`) or `--option=<value>`.
 * @property {string} [others] What all other words mean; without it they are refused.
 * @property {string} [more] What else there is to know.
 */

const settings =
  'Settings come from the environment and from a file .env in the working folder; docs/operations.md lists them.';
const file = (/** @type {string} */ meaning) => ({
  [`--${meaning} <file>`]: meaning === 'to' ? 'the file to write' : 'the backup',
});

/**
 * The commands of the portal. `npm run` has a script for most of them.
 * @satisfies {Readonly<Record<string, Omit<Program, 'call'>>>}
 */
export const portalCommands = {
  backup: {
    does: 'Writes a backup of the portal into one file; the portal may run.',
    words: file('to'),
    more: settings,
  },
  restore: { does: 'Restores a backup into an empty database.', words: file('from'), more: settings },
  'check-backup': {
    does: 'Checks whether a backup can be restored; changes nothing.',
    words: file('from'),
    more: settings,
  },
  'rebuild-energy': {
    does: 'Recomputes the quarter-hours from the measurements; the portal may run.',
    more: settings,
  },
  'demo-fleet': {
    does: 'Starts an Admin and three Clients with demo data that push to it.',
    words: { '--silent-after <minutes>': 'until one of them stops sending' },
    more: settings,
  },
  'register-customer': {
    does: 'Creates a customer in a fleet and prints its push token; reads email and password from standard input.',
    words: {
      '--fleet <address>': 'of the Admin portal',
      '--code <code>': 'of the customer',
      '--name <name>': 'of the customer',
      '--rotate-token': 'replaces the token of an existing customer',
    },
  },
  health: {
    does: 'Checks whether the portal is ready.',
    others: 'the address to ask instead of http://127.0.0.1:8080/health/ready',
  },
};

/**
 * Answers `--help`, `-h` and words that the portal does not take. Returns the exit code, or undefined if there is something to do.
 * @param {readonly string[]} words
 * @param {string} call How it is called without a command.
 * @param {string} callOfCommand How it is called with the command of these words.
 */
export function answerPortalWords(words, call = 'portal', callOfCommand = `${call} ${words[0]}`) {
  const command = Object.entries(portalCommands).find(([name]) => name === words[0])?.[1];
  if (command !== undefined) return answerWords(words.slice(1), { ...command, call: callOfCommand });
  return answerWords(words, {
    call,
    does: 'Starts the portal, or runs a command:',
    words: Object.fromEntries(Object.entries(portalCommands).map(([name, { does }]) => [name, does])),
    more: `Use --help after a command for its options. With the word dashboards the executable starts the dashboard tool.\n${settings}`,
  });
}

/**
 * The same for any program.
 * @param {readonly string[]} words
 * @param {Program} program
 * @returns {number | undefined}
 */
export function answerWords(words, program) {
  if (words.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usageOf(program));
    return 0;
  }
  const unknown = findUnknown(words, program);
  if (unknown === undefined) return undefined;
  process.stderr.write(`Unknown argument "${unknown}".\n\n${usageOf(program)}`);
  return 1;
}

/**
 * @param {readonly string[]} words
 * @param {Program} program
 */
function findUnknown(words, { words: known = {}, others }) {
  if (others !== undefined) return undefined;
  const names = Object.keys(known);
  const takesNext = (/** @type {string} */ word) => names.some((name) => name.startsWith(`${word} <`));
  const isKnown = (/** @type {string} */ word) => {
    const [option = ''] = word.split('=', 1);
    return (
      names.includes(word) ||
      takesNext(option) ||
      (word !== option && names.some((name) => name.startsWith(`${option}=<`)))
    );
  };
  return words.find((word, at) => !isKnown(word) && !takesNext(words[at - 1] ?? ''));
}

/** @param {Program} program */
function usageOf({ call, does, words = {}, others, more }) {
  const lines = Object.entries({ ...words, ...(others === undefined ? {} : { '…': others }), '--help': 'prints this' });
  const width = Math.max(...lines.map(([word]) => word.length));
  return [
    `Usage: ${call}\n`,
    does,
    '',
    ...lines.map(([word, meaning]) => `  ${word.padEnd(width)}  ${meaning}`),
    ...(more === undefined ? [] : ['', more]),
    '',
  ].join('\n');
}
