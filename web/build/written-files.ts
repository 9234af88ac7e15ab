import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { foldersOf, noticesFile, noticesOf, readPackage } from '../../scripts/third-party.mjs';
import { buildScript, web } from './chunks.ts';

/** Adds the notices of the packages that are bundled. */
export function thirdPartyNotices(): Plugin {
  return {
    name: 'third-party-notices',
    apply: 'build',
    generateBundle() {
      const source = noticesOf([...foldersOf(this.getModuleIds())].map(readPackage));
      this.emitFile({ type: 'asset', fileName: noticesFile, source });
    },
  };
}

/** Compresses files once at build time instead of at each request. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          if (!/\.(?:html|js|css|svg)$/.test(file.fileName)) continue;
          const source = file.type === 'chunk' ? file.code : file.source;
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(source, { level: 9 }) });
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotliCompressSync(source) });
        }
      },
    },
  };
}

const digest = (content: string | Uint8Array) => `sha256-${createHash('sha256').update(content).digest('base64')}`;

/** The files that open a page without a network; of the typeface only what European languages need. */
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
