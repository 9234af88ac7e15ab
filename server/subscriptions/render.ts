import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { limiterOf } from '../base/budgets.ts';
import { iconColors } from '../http/brand-icon.rules.ts';
import type { ReportDocument } from './document.ts';
import type { FromRenderThread, Rendered, RenderFiles, ToRenderThread } from './render-job.ts';

const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };
const maxMs = 60_000;
/** An idle thread holds megabytes, so it ends after a while. */
const idleMs = 30_000;
const renders = limiterOf('reportFiles');
let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;

/** Draws a report in a thread, one at a time. The key is the account that asks; mails have none. */
export const renderReport = (document: ReportDocument, signal: AbortSignal, key = ''): Promise<Rendered> =>
  renders.run(() => renderOne(document, signal), { signal, key });

async function renderOne(document: ReportDocument, signal: AbortSignal): Promise<Rendered> {
  signal.throwIfAborted();
  clearTimeout(idle);
  thread ??= openThread();
  const worker = thread;
  const { promise, resolve, reject } = Promise.withResolvers<Rendered>();
  const until = AbortSignal.any([AbortSignal.timeout(maxMs), signal]);
  const stop = () => reject(new Error('A report could not be drawn in time.'));
  until.addEventListener('abort', stop, { once: true });
  const onMessage = (answer: FromRenderThread) => {
    if ('failure' in answer) reject(new Error(`A report could not be drawn: ${answer.failure}`));
    else resolve(answer);
  };
  worker.once('message', onMessage).once('error', reject).once('exit', stop);
  const job: ToRenderThread = { job: { document, colors: iconColors(document.brand.primaryColor) } };
  worker.postMessage(job, []);
  let isDrawn = false;
  try {
    const rendered = await promise;
    isDrawn = true;
    return rendered;
  } finally {
    until.removeEventListener('abort', stop);
    worker.off('message', onMessage).off('error', reject).off('exit', stop);
    // A thread that failed, or has not finished drawing, is not used again.
    if (isDrawn) idle = setTimeout(endThread, idleMs).unref();
    else endThread();
  }
}

function openThread(): Worker {
  const worker = new Worker(new URL('render-thread.ts', import.meta.url), { resourceLimits });
  worker.unref();
  const files: ToRenderThread = { files: readFiles() };
  worker.postMessage(files, []);
  return worker;
}

function endThread(): void {
  const worker = thread;
  thread = undefined;
  // The error of the thread has been reported already.
  worker?.on('error', () => undefined);
  void worker?.terminate();
}

/** The thread cannot read files if the portal runs as an executable, so the files are read here. */
const readFiles = (): RenderFiles => ({
  fonts: fontFiles.map(([name, url, isStrong]) => ({ name, isStrong, bytes: readFileSync(url) })),
  wasm: new Uint8Array(readFileSync(new URL('../../node_modules/@resvg/resvg-wasm/index_bg.wasm', import.meta.url))),
});

const fontFiles: readonly (readonly [name: string, url: URL, isStrong: boolean])[] = [
  ['latin', new URL('../../node_modules/@fontsource/inter/files/inter-latin-400-normal.woff', import.meta.url), false],
  [
    'latin-ext',
    new URL('../../node_modules/@fontsource/inter/files/inter-latin-ext-400-normal.woff', import.meta.url),
    false,
  ],
  ['greek', new URL('../../node_modules/@fontsource/inter/files/inter-greek-400-normal.woff', import.meta.url), false],
  [
    'cyrillic',
    new URL('../../node_modules/@fontsource/inter/files/inter-cyrillic-400-normal.woff', import.meta.url),
    false,
  ],
  [
    'strong-latin',
    new URL('../../node_modules/@fontsource/inter/files/inter-latin-600-normal.woff', import.meta.url),
    true,
  ],
  [
    'strong-latin-ext',
    new URL('../../node_modules/@fontsource/inter/files/inter-latin-ext-600-normal.woff', import.meta.url),
    true,
  ],
  [
    'strong-greek',
    new URL('../../node_modules/@fontsource/inter/files/inter-greek-600-normal.woff', import.meta.url),
    true,
  ],
  [
    'strong-cyrillic',
    new URL('../../node_modules/@fontsource/inter/files/inter-cyrillic-600-normal.woff', import.meta.url),
    true,
  ],
];
