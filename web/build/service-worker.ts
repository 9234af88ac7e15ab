import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';

const web = join(import.meta.dirname, '..');

const digest = (content: string | Uint8Array) => `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** What opens a page without a network; of the typeface only what European languages are written in. */
const isOfShell = (file: string) => /\.(?:js|css)$|inter-latin(?:-ext)?-wght-normal.*\.woff2$/.test(file);

/** Builds `src/worker/worker.ts` into `/sw.js`, for exactly the files of this build (ADR 73). */
export function serviceWorker(): Plugin {
  const publicFolder = join(web, 'public');
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const built = Object.values(bundle);
        const entry = built.find((file) => file.type === 'chunk' && file.isEntry);
        if (entry === undefined) throw new Error('The page has no entry.');
        const files: Record<string, string> = {};
        for (const file of readdirSync(publicFolder))
          files[`/${file}`] = digest(readFileSync(join(publicFolder, file)));
        for (const file of built.filter(({ fileName }) => isOfShell(fileName))) {
          files[`/${file.fileName}`] = digest(file.type === 'chunk' ? file.code : file.source);
        }
        const id = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
        const shell = { id, entry: `/${entry.fileName}`, files };
        const made = await build({
          configFile: false,
          root: web,
          publicDir: false,
          logLevel: 'warn',
          define: { SHELL: JSON.stringify(shell) },
          build: {
            write: false,
            target: 'baseline-widely-available',
            rolldownOptions: {
              input: join(web, 'src/worker/worker.ts'),
              output: { format: 'iife', entryFileNames: 'sw.js' },
            },
          },
        });
        for (const result of [made].flat()) {
          for (const file of 'output' in result ? result.output : []) {
            if (file.type === 'chunk') this.emitFile({ type: 'asset', fileName: file.fileName, source: file.code });
          }
        }
      },
    },
  };
}
