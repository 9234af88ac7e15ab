// This file is JavaScript, so that the cache of compiled code is enabled before anything is stripped or compiled.
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/node'));
const { runTool } = await import('./program.ts');
await runTool(process.env);
flushCompileCache();
