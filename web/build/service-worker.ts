import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { buildScript, web } from './chunks.ts';

const digest = (content: string | Uint8Array) => `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** What opens a page without a network; of the typeface only what European languages are written in. */
const isOfShell = (file: string) => /\.(?:js|css)$|inter-latin(?:-ext)?-wght-normal.*\.woff2$/.test(file);

/** Builds `src/offline/worker.ts` into `/sw.js`, for exactly the files of this build (ADR 73). */
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
        const source = await buildScript('src/offline/worker.ts', { SHELL: JSON.stringify(shell) });
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}
