import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { deliver, isPublicAddress, signatureOf } from './webhook-client.ts';

it.each([
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '192.0.2.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  'not an address',
  '',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
  '%s is public',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it('signs like the example of Standard Webhooks', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  expect(signatureOf(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, body)).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

/** A receiver on the loopback, behind names that resolve to what is given, one answer after the other. */
async function deliverTo(answers: readonly string[][], allowPrivate: boolean) {
  let [received, asked] = [0, 0];
  const server = createServer((_, response) => {
    received += 1;
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url = `http://receiver.example:${typeof address === 'object' ? address?.port : ''}/`;
  const sent = await deliver(
    { id: 'id', url, secret: 'whsec_AAAA', body: '{}', nowMs: 0 },
    {
      allowPrivate,
      signal: AbortSignal.timeout(5_000),
      resolve: (_host, _options, done) => {
        const found = answers[Math.min(asked, answers.length - 1)] ?? [];
        asked += 1;
        const addresses = found.map((one) => ({ address: one, family: one.includes(':') ? 6 : 4 }));
        setImmediate(() => done(null, addresses));
      },
    },
  );
  server.close();
  server.closeAllConnections();
  return { ...sent, received, asked };
}

it.each([
  ['the loopback', ['127.0.0.1']],
  ['the loopback in IPv6', ['::1']],
  ['a mapped address', ['::ffff:127.0.0.1']],
  ['the metadata of a cloud', ['169.254.169.254']],
  ['a private address beside a public one', ['8.8.8.8', '10.0.0.1']],
  ['nothing', []],
])('a name that resolves to %s gets nothing', async (_, addresses) => {
  const sent = await deliverTo([addresses], false);
  expect(sent).toMatchObject({ status: null, received: 0 });
  expect(sent.error).toContain('is not a public address');
});

it('a name is resolved once, so that another answer later leads nowhere', async () => {
  expect(await deliverTo([['127.0.0.1'], ['10.0.0.1']], true)).toEqual({
    status: 200,
    error: null,
    received: 1,
    asked: 1,
  });
});
