import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it reached the dashboard tool. */
export interface Arrived {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface FakeTool extends AsyncDisposable {
  origin: string;
  arrived: Arrived[];
  /** The web sockets that are open. */
  sockets: ReadonlySet<Socket>;
}

/** Replaces the dashboard tool: answers each request and web socket with the identity it received. */
export async function startFakeTool(port = 0): Promise<FakeTool> {
  const arrived: Arrived[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      if (!url.endsWith('/health')) arrived.push({ method, url, headers, body });
      if (url.includes('/silent')) return request.socket.destroy();
      if (url.includes('/endless')) return undefined;
      if (url.includes('/busy')) return response.writeHead(503, { 'retry-after': '1' }).end();
      if (headers.accept?.includes('text/html') === true) {
        const page = `<!doctype html><html lang="en"><title>Tool</title><main><h1>${url}</h1></main></html>`;
        return response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      }
      return response
        .writeHead(url.includes('/teapot') ? 418 : 200, {
          'content-type': 'application/json',
          'set-cookie': 'tool=1',
          ...(url.includes('/own-policy')
            ? { 'content-security-policy': "script-src 'self'; frame-ancestors 'self'" }
            : {}),
        })
        .end(JSON.stringify({ url, headers, body }));
    });
  });
  server.on('upgrade', ({ method = '', url = '', headers }, socket: Socket) => {
    arrived.push({ method, url, headers, body: '' });
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    socket.on('error', () => undefined).on('end', () => socket.end());
    if (url.includes('/pending')) return;
    const accept = createHash('sha1').update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    socket.write([...lines, `Sec-WebSocket-Accept: ${accept.digest('base64')}`, '', ''].join('\r\n'));
    socket.write(Buffer.concat([Buffer.from([0x81, 6]), Buffer.from('hello!')]));
    if (url.includes('/deaf')) return;
    socket.resume();
    if (!url.includes('/talkative')) return;
    const frame = Buffer.alloc(1024 * 1024);
    Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 0x0f, 0xff, 0xf6]).copy(frame);
    for (let count = 0; count < 64; count += 1) socket.write(frame);
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const address: AddressInfo | string | null = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`,
    arrived,
    sockets,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
