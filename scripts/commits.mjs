// Whether the messages of commits are written as CONTRIBUTING.md says. Commits up to `base` are older than the rule.
import { spawnSync } from 'node:child_process';
import { main, root, say } from './project.mjs';

const base = '531bea77130b4d978d803f32b387b6f1af5b5560';

/** Bodies are wrapped at 72. A line of up to this length still fits into 80 columns, where `git log` indents it by four. */
const longestLine = 76;

/** Verbs in the imperative that look like another form. */
const imperatives = new Set(
  'address bypass embed feed need process seed shed speed access assess bring compress cross discuss dress exceed express focus guess miss pass press proceed regress ring spring string succeed suppress swing witness'.split(
    ' ',
  ),
);

/** The errors in the message of a commit. @param {string} message @returns {string[]} */
export function faultsOfMessage(message) {
  const [subject = '', second = '', ...body] = message.trimEnd().split('\n');
  const verb = /^(?:[A-Z]\w+: )?(\w+)/.exec(subject)?.[1]?.toLowerCase() ?? '';
  const faults = [];
  if (!/^[A-Z]/.test(subject)) faults.push('does not begin with a capital letter');
  if (/(?:ed|ing|[^s]s)$/.test(verb) && !imperatives.has(verb)) {
    faults.push(`begins with "${verb}", not with an imperative such as "Add"`);
  }
  if (subject.length > 72) faults.push(`has ${subject.length} characters, at most 72`);
  if (subject.endsWith('.')) faults.push('ends with a full stop');
  if (second !== '') faults.push('lacks the empty line after the subject');
  // An address or another word longer than the line cannot be wrapped.
  const long = body.filter((line) => line.length > longestLine && line.trim().includes(' '));
  if (long.length > 0) faults.push(`has a line of more than ${longestLine} characters in its body: "${long[0]}"`);
  return faults;
}

/** @param {string[]} words */
const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8' });

if (import.meta.main) {
  await main(async () => {
    if (git('merge-base', '--is-ancestor', base, 'HEAD').status !== 0) {
      say(
        `Skipped: this folder has no history back to ${base.slice(0, 8)}, as a shallow clone or an exported one has none.`,
      );
      return 0;
    }
    const { stdout } = git('log', '--no-merges', '--reverse', '-z', '--format=%h%n%B', `${base}..HEAD`);
    const faults = stdout
      .split('\0')
      .filter(Boolean)
      .flatMap((entry) => {
        const [hash, ...lines] = entry.split('\n');
        return faultsOfMessage(lines.join('\n')).map((fault) => `${hash} "${lines[0]}" ${fault}`);
      });
    for (const fault of faults) say(fault);
    return faults.length === 0 ? 0 : 1;
  });
}
