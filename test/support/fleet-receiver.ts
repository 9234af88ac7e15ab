import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/** A batch as a fleet receives it. */
export interface ReceivedBatch {
  type: string;
  cursor: string;
  part: string | undefined;
  token: string;
  encoding: string | undefined;
  /** `X-Client-Report`. */
  report: string;
  records: Record<string, unknown>[];
}

/** How a fleet reacts to a batch. */
export type Reaction =
  /** Stores and answers. */
  | 'accept'
  /** Stores, and the answer is lost. */
  | 'loseAnswer'
  /** Stores, and the answer is cut in the middle. */
  | 'cutAnswer'
  /** Stores, and never answers. */
  | 'hang'
  | { status: number; headers?: Record<string, string>; body?: string };

export interface FleetReceiver extends AsyncDisposable {
  url: string;
  /** Every batch that arrived, stored or not. */
  batches: ReceivedBatch[];
  /** Those that were stored. */
  stored: ReceivedBatch[];
  /** All stored measurements in the order of arrival. */
  measurements: () => Record<string, unknown>[];
  /** Set it to misbehave. */
  react: (batch: ReceivedBatch) => Reaction | Promise<Reaction>;
}

/** A fleet that accepts everything unless told otherwise. */
export async function startFleetReceiver(): Promise<FleetReceiver> {
  const batches: ReceivedBatch[] = [];
  const stored: ReceivedBatch[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    // It does not compare, as an older fleet.
    if (request.url?.endsWith('/ingest') !== true) {
      const isResult = request.url?.endsWith('/result') === true;
      if (isResult) response.writeHead(204).end();
      else response.writeHead(404).end('{"error":"There is no such path."}');
      return;
    }
    const batch = await readBatch(request);
    batches.push(batch);
    const reaction = await receiver.react(batch);
    if (typeof reaction === 'object') {
      response.writeHead(reaction.status, reaction.headers).end(reaction.body ?? '{"error":"As the test wants it."}');
      return;
    }
    stored.push(batch);
    const text = JSON.stringify({ accepted: batch.records.length, rejected: 0, errors: [] });
    if (reaction === 'hang') return;
    if (reaction === 'loseAnswer') request.socket.destroy();
    else if (reaction === 'cutAnswer') {
      response.writeHead(200, { 'content-length': String(text.length) });
      response.write(text.slice(0, 8), () => request.socket.destroy());
    } else response.end(text);
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => request.destroy()));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const receiver: FleetReceiver = {
    url: `http://127.0.0.1:${port}/api/fleet/ingest`,
    batches,
    stored,
    measurements: () => stored.filter(({ type }) => type === 'measurements').flatMap(({ records }) => records),
    react: () => 'accept',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return receiver;
}

async function readBatch(request: IncomingMessage): Promise<ReceivedBatch> {
  const { headers } = request;
  const text = (name: string) => String(headers[name] ?? '');
  const bytes = await buffer(request);
  const part = headers['x-batch-part'];
  return {
    type: text('x-batch-type'),
    cursor: text('x-push-cursor'),
    part: typeof part === 'string' ? part : undefined,
    token: text('x-customer-token'),
    encoding: headers['content-encoding'],
    report: text('x-client-report'),
    records: JSON.parse(gunzipSync(bytes).toString('utf8')),
  };
}
