import { setTimeout as sleep } from 'node:timers/promises';
import { type PortalOptions, type RunningPortal, startPortal } from '../portal.ts';

/** A portal that is restarted whenever it ends, as an operator would do. */
export interface MortalPortal extends AsyncDisposable {
  url: string;
  /** Waits until it runs. */
  ready: () => Promise<RunningPortal>;
  /** Waits until it runs, then SIGKILL. */
  kill: () => Promise<void>;
  /** The exits of portals that were not killed. */
  ownEndings: () => readonly string[];
  /** The output of the last one, or why it did not start. */
  output: () => string;
}

/** `options` is called before each start. */
export function keepAlive(port: number, options: () => PortalOptions): MortalPortal {
  const stopping = new AbortController();
  const ownEndings: string[] = [];
  let current = Promise.withResolvers<RunningPortal>();
  let output = () => '';
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        const portal = await startPortal({ ...options(), port });
        output = portal.output;
        current.resolve(portal);
        const ending = await portal.ending;
        if (ending !== 'SIGKILL' && !stopping.signal.aborted) ownEndings.push(`${ending}: ${output().slice(-2_000)}`);
      } catch (error) {
        // Its database was killed under it before it was ready.
        output = () => String(error);
        await sleep(100);
        continue;
      }
      current = Promise.withResolvers<RunningPortal>();
    }
  };
  const finished = run();
  return {
    url: `http://127.0.0.1:${port}`,
    ready: () => current.promise,
    kill: async () => (await current.promise).kill(),
    ownEndings: () => ownEndings,
    output: () => output(),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.race([current.promise.then((portal) => portal.stop()), finished]);
      await finished;
    },
  };
}
