import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { answerMalformedRequests } from './connections.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('a connection that waits for its next request holds nothing of the previous one, whose headers may have 128 KiB', async () => {
  const requests: WeakRef<IncomingMessage>[] = [];
  const server = createServer((request, response) => {
    requests.push(new WeakRef(request));
    response.end('answered');
  });
  answerMalformedRequests(pino({ level: 'silent' }), {}).watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(socket, 'data');
  const kept = () => {
    collectGarbage();
    return requests.map((request) => request.deref()?.url);
  };
  await expect.poll(kept).toEqual([undefined]);
  expect(socket.closed).toBe(false);
  socket.destroy();
  server.close();
});
