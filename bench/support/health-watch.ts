// A thread that requests an address every few milliseconds and records the longest answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { z } from 'zod';

const { url, longest } = z.object({ url: z.string(), longest: z.instanceof(Float64Array) }).parse(workerData);
for (;;) {
  const asked = performance.now();
  await (await fetch(url)).text();
  longest[0] = Math.max(longest[0] ?? 0, performance.now() - asked);
  await sleep(5);
}
