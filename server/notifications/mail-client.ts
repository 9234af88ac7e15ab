import { createTransport } from 'nodemailer';
import { isPlainAddress } from '../settings/kinds.ts';
import type { Config } from '../settings/config.ts';
import { oneLine } from './mail.rules.ts';

const timeoutMs = 10_000;
/** Shorter than the lease of a message. */
const maxSendMs = 45_000;
const maxErrorLength = 300;

export interface Mail {
  /** A GUID that stays the same at each attempt, so that a mail server recognizes repeats. */
  id: string;
  to: string;
  /** Shown beside the address of the sender. */
  fromName: string;
  subject: string;
  text: string;
  html: string;
  attachments?: readonly MailAttachment[];
  /** Epoch milliseconds. */
  createdMs: number;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
  /** The Content-ID of a picture in the text. */
  cid?: string;
}

/** Sends one mail; null once the server has accepted it, else the reason why not. */
export type Mailer = (mail: Mail, signal: AbortSignal) => Promise<string | null>;

/**
 * Speaks SMTP with the server of the settings, whose certificate is verified; null without one. Nothing is sent before the
 * connection is encrypted, unless Mail__Security is none.
 */
export function createMailer({ host, port, security, username, password, from }: Config['mail']): Mailer | null {
  if (host === undefined || from === undefined) return null;
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true },
    ...(username !== undefined && { auth: { user: username, pass: password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return async ({ id, to, fromName, subject, text, html, attachments = [], createdMs }, signal) => {
    if (!isPlainAddress(to)) return 'The address is not a plain email address.';
    try {
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        date: new Date(createdMs),
        from: { name: oneLine(fromName), address: from },
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        subject: oneLine(subject),
        text,
        html,
        attachments: attachments.map(({ content, ...one }) => ({ ...one, content: Buffer.from(content) })),
        // Suppresses automatic replies.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(maxSendMs)]),
      });
      return null;
    } catch (error) {
      const reason = error instanceof Error ? oneLine(error.message) : '';
      return reason.slice(0, maxErrorLength) || 'The mail server could not be reached.';
    }
  };
}
