import { join } from 'node:path';
import { build, type InlineConfig, type Rolldown } from 'vite';

export const web = join(import.meta.dirname, '..');

/** A file of a page, with the files that it needs to run. */
interface Chunk {
  fileName: string;
  imports: readonly string[];
}

/** The chunks of a build that is being written. */
export const chunksOf = (bundle: Rolldown.OutputBundle): Rolldown.OutputChunk[] =>
  Object.values(bundle).filter((file) => file.type === 'chunk');

/** The files that are loaded before any of `starts` runs. */
export function loadedWith<T extends Chunk>(chunks: readonly T[], starts: readonly T[]): T[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(starts);
  for (const chunk of found) {
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported !== undefined) found.add(imported);
    }
  }
  return [...found];
}

/** The file that contains a module, found by the end of the module's path. */
export const chunkWith = <T extends { modules: object }>(chunks: readonly T[], module: string): T | undefined =>
  chunks.find((chunk) => Object.keys(chunk.modules).some((id) => id.endsWith(module)));

/**
 * Builds a page once and keeps nothing of it. Returns the modules that others need to run, and nothing else, without what the
 * bundler leaves out of packages.
 */
export async function analyse(config: InlineConfig): Promise<(starts: readonly string[]) => ReadonlySet<string>> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, rolldownOptions: { output: { strictExecutionOrder: true } } },
  });
  const outputs = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  const chunks = outputs.filter((file) => file.type === 'chunk');
  return (starts) => {
    const files = starts.map((module) => chunkWith(chunks, module)).filter((file) => file !== undefined);
    return new Set(loadedWith(chunks, files).flatMap(({ modules }) => Object.keys(modules)));
  };
}

/** Builds a module of the page into one script without imports. */
export async function buildScript(module: string, define: Record<string, string> = {}): Promise<string> {
  const built = await build({
    configFile: false,
    root: web,
    publicDir: false,
    logLevel: 'warn',
    define,
    build: {
      write: false,
      target: 'baseline-widely-available',
      rolldownOptions: { input: join(web, module), output: { format: 'iife' } },
    },
  });
  const files = [built].flat().flatMap((result) => ('output' in result ? result.output : []));
  const script = files.find((file) => file.type === 'chunk');
  if (script === undefined) throw new Error(`${module} gave no script.`);
  return script.code;
}
