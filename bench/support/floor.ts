// The floor of an ingest: a process that receives bodies, parses them as JSON, answers, and does nothing else. Prints its
// address.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const rows: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const accepted = Array.isArray(rows) ? rows.length : 0;
    const body = JSON.stringify({ accepted, rejected: 0, duplicates: 0, errors: [] });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(`http://127.0.0.1:${address.port}`);
});
