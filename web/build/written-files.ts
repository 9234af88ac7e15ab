import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { foldersOf, noticesFile, noticesOf, readPackage } from '../../scripts/third-party.mjs';

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

/** Compresses once at build time what would otherwise have to be compressed at each request. */
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
