import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from './random.ts';

/** The network between a Client and its fleet. */
export interface HostileNetwork extends AsyncDisposable {
  port: number;
  /** Lets everything through, or not. */
  beCalm: (isCalm: boolean) => void;
  /** Breaks every connection and accepts none for a while. */
  cut: (forMs: number) => Promise<void>;
  /** Resolves after this many more requests, or after a while without any. */
  busy: (requests: number) => Promise<void>;
  /** How often each fault has occurred. */
  mishaps: () => Readonly<Record<Mishap, number>>;
}

type Mishap = 'delay' | 'cutRequest' | 'loseAnswer' | 'cutAnswer';
type Fate = Mishap | 'pass';
const longestIdleMs = 15_000;
const mishaps: readonly Mishap[] = ['delay', 'cutRequest', 'loseAnswer', 'cutAnswer'];

/** Listens for clients of the port; a third of all requests meets a fault. */
export async function startHostileNetwork(farPort: number, random: Random): Promise<HostileNetwork> {
  const sockets = new Set<Socket>();
  const struck = { delay: 0, cutRequest: 0, loseAnswer: 0, cutAnswer: 0 };
  let isCalm = true;
  let isDown = false;
  let requests = 0;
  const waiting: { until: number; resolve: () => void }[] = [];

  const drawFate = (): Fate => {
    if (isCalm || !random.chance(0.35)) return 'pass';
    const mishap = random.one(mishaps);
    struck[mishap] += 1;
    return mishap;
  };

  const server = createServer((near) => {
    if (isDown) {
      near.destroy();
      return;
    }
    const far = connect(farPort, '127.0.0.1');
    let fate: Fate = 'pass';
    let bytesLeft = 0;
    let sending = Promise.resolve();
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    /** What fits before the cut. */
    const pass = (bytes: Buffer, to: Socket) => {
      to.write(bytes.subarray(0, bytesLeft));
      bytesLeft -= bytes.length;
      if (bytesLeft <= 0) near.destroy();
    };
    near.on('data', (bytes: Buffer) => {
      if (bytes.subarray(0, 5).toString('latin1') === 'POST ') {
        requests += 1;
        for (const { until, resolve } of waiting) if (requests >= until) resolve();
        fate = drawFate();
        if (fate === 'cutRequest' || fate === 'cutAnswer')
          bytesLeft = random.whole(1, fate === 'cutAnswer' ? 300 : 4_000);
        if (fate === 'delay') sending = sleep(random.whole(20, 400));
      }
      if (fate === 'cutRequest') pass(bytes, far);
      else sending = sending.then(() => void far.write(bytes));
    });
    far.on('data', (bytes: Buffer) => {
      // The fleet has processed it, but the answer is lost.
      if (fate === 'loseAnswer') near.destroy();
      else if (fate === 'cutAnswer') pass(bytes, near);
      else near.write(bytes);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    beCalm(wanted) {
      isCalm = wanted;
    },
    async cut(forMs) {
      isDown = true;
      breakAll();
      await sleep(forMs);
      isDown = false;
    },
    busy: (more) =>
      Promise.race([
        sleep(longestIdleMs),
        new Promise<void>((resolve) => {
          waiting.push({ until: requests + more, resolve });
        }),
      ]),
    mishaps: () => struck,
    async [Symbol.asyncDispose]() {
      breakAll();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
