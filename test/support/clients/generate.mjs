// `node generate.mjs <document> <folder>`: generates the clients of two generators from an OpenAPI document.
import { readFile, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

const classic = import.meta.resolve('./classic-typescript.cjs');
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url: classic, format: 'commonjs', shortCircuit: true } : next(specifier, context),
});

const [document = '', folder = ''] = process.argv.slice(2);
const { astToString, default: describe } = await import('openapi-typescript');
await writeFile(join(folder, 'schema.ts'), astToString(await describe(JSON.parse(await readFile(document, 'utf8')))));
const { createClient } = await import('@hey-api/openapi-ts');
await createClient({
  input: document,
  // With this extension Node can run the generated code.
  output: { path: join(folder, 'client'), module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { file: false, level: 'silent' },
});
