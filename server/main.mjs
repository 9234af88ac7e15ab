// This file is JavaScript, so that nothing is stripped or compiled before the compile cache is enabled. Otherwise a start would
// take a second longer, and 50 MiB of memory would never be freed.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { answerPortalWords } from './usage.mjs';

const answered = answerPortalWords(process.argv.slice(2));
if (answered !== undefined) process.exit(answered);
if (process.argv[2] === 'health') {
  const { checkHealth } = await import('./health.mjs');
  process.exit(await checkHealth(process.argv[3]));
}
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node'));
// A start creates few short-lived objects. V8 would let its young heap grow by 30 MiB that an idle portal never uses.
setFlagsFromString('--semi-space-growth-factor=1');
const { runProgram } = await import('./program.ts');
await runProgram(process.env);
setFlagsFromString('--semi-space-growth-factor=2');
// The old heap is collected once it has grown by 60 %. V8 would let it grow fourfold: a portal under load would then take 300 MiB
// and not 200, most of it garbage.
setFlagsFromString('--heap-growing-percent=60');
// If the process is killed, it writes nothing at its end.
flushCompileCache();
