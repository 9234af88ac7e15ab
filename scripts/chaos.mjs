// `npm run chaos [rounds]`: the tests of the push, in which both portals and both databases are killed, of messages, in which portals
// are, and of a database whose standby takes over, in many more rounds and by chance; CHAOS_SEED repeats the schedule of one that failed.
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { answerWords } from '../server/usage.mjs';
import { ensureInstalled } from './install.mjs';
import { main, modules, Refusal, runPinned } from './project.mjs';

const [rounds = '100'] = process.argv.slice(2);

await main(async () => {
  const answered = answerWords(process.argv.slice(2), {
    call: 'npm run chaos [-- rounds]',
    does: 'Kills a Client, its fleet and both databases, and portals that send mails and webhooks, a hundred times; CHAOS_SEED repeats the schedule of a run that failed.',
    others: 'how many rounds',
  });
  if (answered !== undefined) return answered;
  if (!/^[1-9]\d{0,5}$/.test(rounds)) throw new Refusal(`The rounds must be a number of 1 or more; got "${rounds}".`);
  await ensureInstalled();
  const files = ['chaos', 'message-kills', 'standby'].map((name) => `test/integration/${name}.test.ts`);
  const words = ['run', '--project', 'integration', ...files];
  return runPinned(join(modules, 'vitest', 'vitest.mjs'), words, {
    CHAOS_SEED: String(randomInt(2 ** 31)),
    ...process.env,
    CHAOS_ROUNDS: rounds,
  });
});
