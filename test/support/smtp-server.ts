import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { SMTPServer } from 'smtp-server';

/** A certificate authority of tests alone, valid for a hundred years. */
const authority = `-----BEGIN CERTIFICATE-----
MIIBfDCCASGgAwIBAgIUJZpjE/4XqKj9zYOZ9rx94+rXA+0wCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHVGVzdCBDQTAgFw0yNjExMjcwOTA4MjFaGA8yMTI2MTEwMzA5
MDgyMVowEjEQMA4GA1UEAwwHVGVzdCBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABO88/Ov312utrlLyRGjMTZMdmpDtBLmI6BC9WUM9AjSa3c15e2yJLveLv4Ei
xoLLGRk2+oLTHcRq7g9VDFPd0yqjUzBRMB0GA1UdDgQWBBSEztSrt426iqteMdcg
pAO6bGftqjAfBgNVHSMEGDAWgBSEztSrt426iqteMdcgpAO6bGftqjAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0kAMEYCIQC8vRVk5E3vAE6cXl73QukAPbln
B68JkCLrG+148OB5iAIhAPt0t+OBok5A5unG+4/iYzegsoFPJ6kjg4tGIJ00yJsg
-----END CERTIFICATE-----
`;
/** Its certificate for localhost. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBgjCCASigAwIBAgIUBdmRT8Gk1NX8Op8axyIUdu8bd/4wCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHVGVzdCBDQTAgFw0yNjExMjcwOTA4MjFaGA8yMTI2MTEwMzA5
MDgyMVowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEqkI7Jbh6vhIlImQGIFVqJ5xs2MjTvxiCEjM/Orw7q3E1lVic9uapijkW
5FhTvOgFXfjNvoiZn1rV5AllLrNf5KNYMFYwFAYDVR0RBA0wC4IJbG9jYWxob3N0
MB0GA1UdDgQWBBSQuVlboUJcQ+ZenzwDQuR1fDfdUzAfBgNVHSMEGDAWgBSEztSr
t426iqteMdcgpAO6bGftqjAKBggqhkjOPQQDAgNIADBFAiAh0i1aDiZoalotfWAI
/iDGzFdgGxCc6R7bCes5NXZM1wIhAI8RvNdzCfDEWYoypct4JeEKJnMncWp709zA
3+Wh4vRh
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7RV4LLJt4smnT/zW
xmtm5Cnu8Zzx79GPY4e62ZFXoi+hRANCAASqQjsluHq+EiUiZAYgVWonnGzYyNO/
GIISMz86vDurcTWVWJz25qmKORbkWFO86AVd+M2+iJmfWtXkCWUus1/k
-----END PRIVATE KEY-----
`;

/** From now on this process trusts the authority of the test server, as NODE_EXTRA_CA_CERTS would make it. */
export function trustTestAuthority(): () => void {
  const before = getCACertificates();
  setDefaultCACertificates([...before, authority]);
  return () => setDefaultCACertificates(before);
}

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Whether the connection was encrypted. */
  isSecure: boolean;
  user: string | null;
  /** The message as it was sent. */
  raw: string;
}

/** A mail server on localhost that speaks STARTTLS; `react` may refuse a mail. */
export async function startSmtpServer({
  account,
  offersTls = true,
}: { account?: { user: string; password: string }; offersTls?: boolean } = {}) {
  const received: ReceivedMail[] = [];
  const state: { refuse: string | null; onReceived: (() => unknown) | null } = { refuse: null, onReceived: null };
  const server = new SMTPServer({
    cert,
    key,
    authOptional: account === undefined,
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === account?.user && password === account?.password
        ? done(null, { user: username })
        : done(new Error('wrong password')),
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (state.refuse !== null) return done(new Error(state.refuse));
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
          raw: Buffer.concat(chunks).toString('utf8'),
        });
        const answer = async () => {
          await state.onReceived?.();
          done();
        };
        return void answer();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, 'localhost', () => resolve());
  });
  const address = server.server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  return { port, received, state, stop };
}

/** A header of a message, unfolded. */
export const headerOf = (raw: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*(?:\\r\\n[ \\t].*)*)`, 'im')
    .exec(raw.slice(0, raw.indexOf('\r\n\r\n')))?.[1]
    ?.replaceAll(/\r\n[ \t]/g, ' ');

/** The parts of a message, decoded from quoted-printable or base64, by type. */
export function partOf(raw: string, type: 'text/plain' | 'text/html'): string {
  const boundary = /boundary="?([^"\r\n;]+)/.exec(raw)?.[1];
  const part = raw.split(`--${boundary}`).find((one) => one.includes(`Content-Type: ${type}`)) ?? '';
  const body = part.slice(part.indexOf('\r\n\r\n') + 4);
  if (/Content-Transfer-Encoding: base64/i.test(part)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/Content-Transfer-Encoding: quoted-printable/i.test(part)) return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
