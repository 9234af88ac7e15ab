import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readBody, takeWholeBody } from './body-encoding.ts';

/** A request whose body arrives in packets of these bytes. */
function requestOf(packets: readonly Buffer[], headers: Record<string, string> = {}): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const bytes = packets.reduce((sum, packet) => sum + packet.length, 0);
  Object.assign(request, { complete: true, headers: { ...headers, 'content-length': String(bytes) } });
  for (const packet of packets) request.push(packet);
  request.push(null);
  return request;
}

describe('a body that has already arrived', () => {
  const text = JSON.stringify([{ externalId: 'meter-1' }, { externalId: 'meter-2' }]);
  it.each([
    ['as it is', Buffer.from(text), {}],
    ['gzip', gzipSync(text), { 'content-encoding': 'gzip' }],
  ])('is read whole if it arrived in several packets: %s', (_name, body, headers) => {
    const packets = [body.subarray(0, 10), body.subarray(10, 30), body.subarray(30)];
    expect(takeWholeBody(requestOf(packets, headers), 1000)?.toString()).toBe(text);
  });
});

it('a body whose packets arrive before it is read loses none', async () => {
  const packets = ['[1,', '2,', '3,', '4]'].map((text) => Buffer.from(text));
  const reading = { maxBytes: 1000, keep: async () => {}, refuseSlow: () => undefined };
  const text = await new Promise<string>((resolve, reject) => {
    // Like data from a socket: the stream's own events come before any promise continues.
    process.nextTick(() => {
      Array.fromAsync(readBody(requestOf(packets), reading)).then(
        (chunks) => resolve(Buffer.concat(chunks).toString()),
        reject,
      );
    });
  });
  expect(text).toBe('[1,2,3,4]');
});
