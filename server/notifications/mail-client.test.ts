import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headerOf, partOf, startSmtpServer, trustTestAuthority } from '../../test/support/smtp-server.ts';
import { createMailer, type Mail } from './mail-client.ts';
import { renderMail } from './mail.rules.ts';

const account = { user: 'portal', password: 'secret' };
const signal = new AbortController().signal;
const mail = (more: Partial<Mail> = {}): Mail => ({
  id: '00000000-0000-7000-8000-000000000001',
  to: 'person@example.com',
  fromName: 'Acme Energy',
  subject: 'Freezer 3: no reading for 25 min',
  text: 'Text',
  html: '<p>HTML</p>',
  createdMs: Date.UTC(2026, 0, 1),
  ...more,
});
let server: Awaited<ReturnType<typeof startSmtpServer>>;
let plain: Awaited<ReturnType<typeof startSmtpServer>>;

beforeAll(async () => {
  server = await startSmtpServer({ account });
  plain = await startSmtpServer({ offersTls: false });
});
afterAll(async () => {
  await server.stop();
  await plain.stop();
});

const settings = {
  host: 'localhost',
  security: 'starttls',
  username: undefined,
  password: undefined,
  from: 'portal@example.com',
} as const;
const withAccount = { ...settings, username: account.user, password: account.password };
function mailerOf(more: Partial<Parameters<typeof createMailer>[0]> = {}) {
  const mailer = createMailer({ ...withAccount, port: server.port, ...more });
  if (mailer === null) throw new Error('no mailer');
  return mailer;
}

test('without a mail server no mail is sent', () => {
  expect(createMailer({ ...settings, host: undefined, port: 25 })).toBeNull();
});

describe('encryption', () => {
  test('STARTTLS: a certificate of an unknown authority is refused, before the password or the mail is sent', async () => {
    expect(await mailerOf()(mail(), signal)).toMatch(/certificate|self.signed/i);
    expect(server.received).toEqual([]);
  });

  test('STARTTLS: a certificate for another name is refused', async () => {
    const distrust = trustTestAuthority();
    expect(await mailerOf({ host: '127.0.0.1' })(mail(), signal)).toMatch(/does not match|altnames/i);
    distrust();
    expect(server.received).toEqual([]);
  });

  test('STARTTLS: a server that does not offer it gets nothing', async () => {
    expect(await mailerOf({ ...settings, port: plain.port })(mail(), signal)).toMatch(/STARTTLS|TLS/i);
    expect(plain.received).toEqual([]);
  });

  test('none: in clear text, if the setting says so', async () => {
    expect(await mailerOf({ ...settings, port: plain.port, security: 'none' })(mail(), signal)).toBeNull();
    expect(plain.received).toMatchObject([{ isSecure: false, to: ['person@example.com'] }]);
  });
});

describe('over STARTTLS with a trusted certificate', () => {
  let distrust = () => {};
  beforeAll(() => {
    distrust = trustTestAuthority();
  });
  afterAll(() => distrust());

  test('a mail arrives signed in and encrypted, as text and HTML, with its Message-ID at each attempt', async () => {
    expect(await mailerOf()(mail(), signal)).toBeNull();
    expect(await mailerOf()(mail(), signal)).toBeNull();
    const [first, second] = server.received;
    expect(first).toMatchObject({
      from: 'portal@example.com',
      to: ['person@example.com'],
      isSecure: true,
      user: 'portal',
    });
    const raw = first?.raw ?? '';
    expect(headerOf(raw, 'Message-ID')).toBe('<00000000-0000-7000-8000-000000000001@example.com>');
    expect(headerOf(second?.raw ?? '', 'Message-ID')).toBe(headerOf(raw, 'Message-ID'));
    expect(headerOf(raw, 'From')).toBe('Acme Energy <portal@example.com>');
    expect(headerOf(raw, 'Auto-Submitted')).toBe('auto-generated');
    expect(partOf(raw, 'text/plain')).toContain('Text');
    expect(partOf(raw, 'text/html')).toContain('<p>HTML</p>');
  });

  test('a wrong password is reported, and shows no password', async () => {
    const problem = await mailerOf({ password: 'other-secret' })(mail(), signal);
    expect(problem).toMatch(/wrong password|Invalid login/);
    expect(problem).not.toContain('other-secret');
  });

  test('a refusal of the server is reported', async () => {
    server.state.refuse = 'mailbox full';
    expect(await mailerOf()(mail(), signal)).toContain('mailbox full');
    server.state.refuse = null;
  });

  test.each(['\r\nBcc: victim@example.com', '\nBcc: victim@example.com\n\nbody', '\u2028Bcc: victim@example.com'])(
    'a name with %j begins no header',
    async (attack) => {
      const before = server.received.length;
      expect(await mailerOf()(mail({ subject: `Meter${attack}`, fromName: `Acme${attack}` }), signal)).toBeNull();
      const { raw, to } = server.received[before] ?? { raw: '', to: [] };
      expect(to).toEqual(['person@example.com']);
      expect(headerOf(raw, 'Bcc')).toBeUndefined();
    },
  );

  test.each([
    'a@example.com, b@example.com',
    'a@example.com\r\nRCPT TO:<b@example.com>',
    '<a@example.com>',
    'A (b@c) <a@d>',
  ])('the address %j gets nothing', async (to) => {
    const before = server.received.length;
    expect(await mailerOf()(mail({ to }), signal)).toContain('not a plain email address');
    expect(server.received.length).toBe(before);
  });
});

describe('what a mail says', () => {
  const brand = { applicationName: 'Acme <b>', primaryColor: '#ffee00', footerText: 'Acme Ltd.' };
  const content = {
    language: 'de',
    subject: 'Alarm\r\n2',
    heading: '<script>alert(1)</script>',
    paragraphs: ['One & two'],
    items: [{ text: '"Meter" <img src=x>', detail: 'Neu', url: 'https://portal.example.com/sites/1' }],
    action: { label: 'Öffnen', url: 'https://portal.example.com/' },
    reason: 'Because.',
  };

  test('is escaped, in the colors of the brand with readable text', () => {
    const { html, subject, text } = renderMail(content, brand);
    expect(subject).toBe('Alarm 2');
    expect(html).not.toMatch(/<script|<img|<b>/);
    expect(html).toContain('&lt;script&gt;');
    expect(html).toContain('background:#ffee00;color:#');
    expect(html).not.toContain('background:#ffee00;color:#ffffff');
    expect(html).toContain('<html lang="de">');
    expect(text).toContain('"Meter" <img src=x>\n  Neu\n  https://portal.example.com/sites/1');
    expect(text.split('\n').at(-1)).toBe('Acme Ltd.');
  });

  test('an invalid color cannot escape from its style', () => {
    expect(renderMail(content, { ...brand, primaryColor: 'red"><script>' }).html).not.toContain('<script>');
  });
});
