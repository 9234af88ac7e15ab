import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { signIn as english } from '../../messages/en/page/sign-in.ts';
import { type Language, languages } from '../../shared/messages.ts';
import { modulesOfTexts, textNames, type FirstFiles, type PageStart, type Stage } from '../first/requests.ts';
import { buildScript, chunksOf, chunkWith, loadedWith } from './chunks.ts';

const script = 'first-paint.js';
const source = 'first/first-paint.ts';

/**
 * Makes `/first-paint.js` of `first/first-paint.ts`, and writes into the page what it requests: the answers that every page
 * needs, and for each page its files and answers. All are then requested together with the first file instead of one after the
 * other.
 */
export function firstPaint(requestsOfEveryPage: readonly string[], pages: readonly PageStart[]): Plugin {
  let isBuild = false;
  return {
    name: 'first-paint',
    configResolved: ({ command }) => void (isBuild = command === 'build'),
    async buildStart() {
      if (isBuild) this.emitFile({ type: 'asset', fileName: script, source: await buildScript(source) });
    },
    configureServer: ({ middlewares }) =>
      void middlewares.use(`/${script}`, (_request, response, next) => {
        buildScript(source).then((code) => response.setHeader('content-type', 'text/javascript').end(code), next);
      }),
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const links = requestsOfEveryPage.map(
          (path) => `\n    <link rel="preload" as="fetch" crossorigin href="${path}" />`,
        );
        const files = bundle === undefined ? '' : attributeOf(namedFiles(chunksOf(bundle), pages));
        const tag = /<script src="\/first-paint\.js"[^>]*><\/script>/;
        if (!tag.test(html)) throw new Error(`index.html has no script /${script}.`);
        return html.replace(tag, () => `<script src="/${script}"${files}></script>${links.join('')}`);
      },
    },
  };
}

const attributeOf = (files: FirstFiles) => ` data-files="${JSON.stringify(files).replaceAll('"', '&quot;')}"`;

interface ChunkOfModules {
  fileName: string;
  imports: readonly string[];
  modules: object;
}

/** The files that pages load first. */
export function namedFiles(chunks: readonly ChunkOfModules[], pages: readonly PageStart[]): FirstFiles {
  const filesOf = (modules: readonly string[]) => {
    const starts = modules.map((module) => {
      const start = chunkWith(chunks, module);
      if (start === undefined) throw new Error(`A page begins with ${module}, which is in no file of the page.`);
      return start;
    });
    return loadedWith(chunks, starts).map(({ fileName }) => `/${fileName}`);
  };
  const textsOf = (language: string) =>
    Object.fromEntries(textNames.map((name) => [name, filesOf(modulesOfTexts(language, name))]));
  return {
    texts: Object.fromEntries(languages.map((one) => [one, textsOf(one)])),
    titles: Object.fromEntries(languages.map((one) => [one, subtitleIn(one)])),
    pages: pages.map(({ paths, stages, requests }) => ({ paths, requests, stages: filesOfStages(stages, filesOf) })),
  };
}

/** Puts each file into the first stage that needs it. A stage without files would break the sequence of requests. */
export function filesOfStages(stages: readonly Stage[], filesOf: (modules: readonly string[]) => string[]): string[][] {
  const known = new Set<string>();
  return stages
    .map(({ texts, modules }) => {
      const files = filesOf(modules).filter((file) => !known.has(file));
      for (const file of files) known.add(file);
      return texts === undefined ? files : [texts, ...files];
    })
    .filter(({ length }) => length > 0);
}

function subtitleIn(language: Language): string {
  if (language === 'en') return english.subtitle;
  const file = `${import.meta.dirname}/../../messages/${language}/page/first.json`;
  const { signIn }: { signIn: { subtitle: string } } = JSON.parse(readFileSync(file, 'utf8'));
  return signIn.subtitle;
}
