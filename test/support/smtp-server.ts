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

/** For other servers on localhost. */
export const testCertificate = { cert, key };

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

/** What a test does at the steps of a mail; the server waits for it, except at `onData`. */
interface SmtpState {
  /** The reason why mails are refused. */
  refuse: string | null;
  /** Before the recipient is accepted. */
  onRecipient: ((to: string) => unknown) | null;
  /** At the first bytes of the mail. */
  onData: ((to: string) => unknown) | null;
  /** When all of the mail has arrived, before it is answered. */
  onReceived: ((mail: ReceivedMail) => unknown) | null;
}

/** A mail server on localhost that speaks STARTTLS. */
export async function startSmtpServer({
  account,
  offersTls = true,
}: { account?: { user: string; password: string }; offersTls?: boolean } = {}) {
  const received: ReceivedMail[] = [];
  const state: SmtpState = { refuse: null, onRecipient: null, onData: null, onReceived: null };
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
    onRcptTo: ({ address }, _session, done) => {
      const accept = async () => {
        await state.onRecipient?.(address);
        done();
      };
      return void accept();
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.once('data', () => state.onData?.(session.envelope.rcptTo[0]?.address ?? ''));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (state.refuse !== null) return done(new Error(state.refuse));
        const { mailFrom, rcptTo } = session.envelope;
        const mail: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
          raw: Buffer.concat(chunks).toString('utf8'),
        };
        received.push(mail);
        const answer = async () => {
          await state.onReceived?.(mail);
          done();
        };
        return void answer();
      });
    },
  });
  // A portal that is killed in the middle of a mail breaks its connection.
  server.on('error', () => undefined);
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

interface MailPart {
  head: string;
  content: Buffer;
}

/** The parts of a message that hold no others, decoded from quoted-printable or base64. */
function partsOf(raw: string): MailPart[] {
  const boundaries = [...raw.matchAll(/boundary="?([^"\r\n;]+)/g)].map(([, boundary = '']) => `--${boundary}`);
  let parts = [raw];
  for (const boundary of boundaries) parts = parts.flatMap((part) => part.split(boundary));
  return parts.map((part) => {
    const blank = part.indexOf('\r\n\r\n');
    const [head, body] = [part.slice(0, blank).replaceAll(/\r\n[ \t]+/g, ' '), part.slice(blank + 4)];
    if (/Content-Transfer-Encoding: base64/i.test(head)) return { head, content: Buffer.from(body, 'base64') };
    if (!/Content-Transfer-Encoding: quoted-printable/i.test(head)) return { head, content: Buffer.from(body) };
    const bytes = body
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
    return { head, content: Buffer.from(bytes, 'latin1') };
  });
}

/** The text of a message by type. */
export const partOf = (raw: string, type: 'text/plain' | 'text/html'): string =>
  partsOf(raw)
    .find(({ head }) => head.includes(`Content-Type: ${type}`))
    ?.content.toString('utf8') ?? '';

/** The files of a message by name. */
export const filesOf = (raw: string): Map<string, Buffer> =>
  new Map(
    partsOf(raw).flatMap(({ head, content }) => {
      const name = /filename="?([^"\r\n;]+)/.exec(head)?.[1];
      return name === undefined ? [] : [[name, content] as const];
    }),
  );
