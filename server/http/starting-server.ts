import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createHash } from 'node:crypto';
import { starting } from '../../messages/en/starting.ts';
import { message } from '../base/errors.ts';
import { namesHtml, preferredLanguage } from './accept.ts';
import { connectionLimits } from '../base/budgets.ts';
import { errorBodyOf } from './errors.ts';
import { pathOf } from './request-log.ts';
import { translationsIn } from './translations.ts';
import { securityHeaders } from './browser-security.ts';
import type { Branding } from '../../shared/app.ts';
import type { Language } from '../../shared/messages.ts';
import { brandIcon, iconColors } from './brand-icon.rules.ts';
import { plainText } from '../workbook/workbook-text.ts';

const retryAfterSeconds = 5;
/** If a start waits longer than this, the wait is logged. */
const patienceMs = 2_000;

export interface StartingServerOptions {
  publicUrl: string;
  /** The brand in the settings. The brand in the database may differ. */
  branding: Parameters<typeof startingPage>[0]['branding'];
  onLongWait: (waitingFor: string) => void;
}

const steps: Record<StartingStep, string> = {
  database: 'the database',
  otherPortal: 'another portal that is preparing the database',
  preparation: 'the preparation of the database',
};

/** Reports `Unhealthy` and what the portal waits for. A header can hold only these characters. */
export const waitingForHeader = (waitingFor: string): Record<string, string> => ({
  'x-waiting-for': waitingFor.replace(/[^\x20-\x7e]/g, '?'),
});

/**
 * Answers for the portal while it starts. `/health` says that the process works, so that no supervisor kills it.
 * `/health/ready` has a header that says what the portal waits for. Browsers get a page that reloads itself. All other requests
 * get 503 with `Retry-After`. No part of the application runs yet.
 */
export class StartingServer {
  readonly #server: Server;
  readonly #options: StartingServerOptions;
  #step: StartingStep = 'database';
  #detail = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #successor: Server | undefined;

  constructor(options: StartingServerOptions) {
    this.#options = options;
    this.#server = createServer({ headersTimeout: 20_000, requestTimeout: 20_000 }, (request, response) =>
      this.#answer(request, response),
    );
    this.#server.maxConnections = connectionLimits.ofSource;
  }

  /** Starts to listen; port 0 means any free port. Throws the error of the system. */
  async listen(host: string, port: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject).listen(port, host, resolve);
    await promise;
  }

  /** Sets what the start waits for from now on, with details if there are any. */
  say(step: StartingStep, detail = ''): void {
    this.#step = step;
    this.#detail = detail;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#options.onLongWait(this.#waitingFor()), patienceMs).unref();
  }

  /**
   * The listening socket, for `server.listen({ handle })`. The portal takes it over, so no connection is refused in between.
   * The portal also gets later requests on connections that are already open.
   */
  handOver(successor: Server): unknown {
    clearTimeout(this.#timer);
    this.#successor = successor;
    // https://nodejs.org/api/net.html#serverlistenhandle-backlog-callback takes any object with a member _handle.
    return Reflect.get(this.#server, '_handle');
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #waitingFor(): string {
    return steps[this.#step] + (this.#detail === '' ? '' : ` (${this.#detail})`);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.#successor !== undefined) {
      this.#successor.emit('request', request, response);
      return;
    }
    request.resume();
    const { status, type, body } = this.#contentFor(request);
    const headers = securityHeaders(this.#options.publicUrl);
    response
      .writeHead(status, {
        ...headers,
        'content-security-policy': `${headers['content-security-policy']};${scriptPolicy}`,
        'content-type': `${type}; charset=utf-8`,
        'content-length': Buffer.byteLength(body),
        'cache-control': 'no-store',
        vary: 'accept, accept-language',
        // The next request on this connection goes to the portal itself.
        connection: 'close',
        ...(status === 200
          ? {}
          : { 'retry-after': String(retryAfterSeconds), ...waitingForHeader(this.#waitingFor()) }),
      })
      .end(request.method === 'HEAD' ? undefined : body);
  }

  #contentFor({ url = '/', headers }: IncomingMessage): { status: number; type: string; body: string } {
    const path = pathOf(url);
    if (path === '/health') return { status: 200, type: 'text/plain', body: 'Healthy' };
    if (path === '/health/ready') return { status: 503, type: 'text/plain', body: 'Unhealthy' };
    if (namesHtml(headers.accept)) {
      const { branding } = this.#options;
      const language = preferredLanguage(headers['accept-language']);
      const body = startingPage({ branding, language, step: this.#step, detail: this.#detail });
      return { status: 503, type: 'text/html', body };
    }
    const error = errorBodyOf(message('starting', { waitingFor: this.#waitingFor() }));
    return { status: 503, type: 'application/json', body: JSON.stringify(error) };
  }
}

/** What a start waits for. */
export type StartingStep = 'database' | 'otherPortal' | 'preparation';

/** Shows the current step, and loads the requested page once the portal answers. */
const script = `
const look = async () => {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' }, cache: 'no-store' });
  if (![502, 503, 504].includes(answer.status)) location.reload();
  const text = await answer.text();
  const doing = new DOMParser().parseFromString(text, 'text/html').getElementById('doing');
  const shown = document.getElementById('doing');
  if (doing !== null && doing.innerHTML !== shown.innerHTML) shown.innerHTML = doing.innerHTML;
};
setInterval(() => look().catch(() => undefined), 2000);
`;

/** Additions to the content security policy for the one script of the page. */
export const scriptPolicy = `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;

const styles = `
  :root { --ground: #fcfcfd; --ink: #1b1f24; --quiet: #5b6470; --line: #e6e8eb; }
  @media (prefers-color-scheme: dark) {
    :root { --ground: #121417; --ink: #e7e9ec; --quiet: #a0a8b2; --line: #262a30; }
  }
  body {
    display: grid; min-height: 100dvh; box-sizing: border-box; margin: 0; padding: 32px 16px;
    grid-template: auto 1fr auto / minmax(0, 376px); place-content: start center;
    font: 16px/1.5 system-ui, Arial, sans-serif; color: var(--ink); background: var(--ground); overflow-wrap: anywhere;
  }
  main { grid-row: 2; align-self: center; text-align: center; }
  svg { width: 44px; height: 44px; border-radius: 12px; }
  p { margin: 8px 0 0; }
  .name { font-weight: 600; }
  h1 { margin: 24px 0 0; font-size: 22px; line-height: 1.4; }
  .bar { height: 4px; margin: 24px 0; overflow: hidden; border-radius: 2px; background: var(--line); }
  .bar::before { content: ''; display: block; width: 40%; height: 100%; border-radius: 2px; background: var(--brand); }
  @media (prefers-reduced-motion: no-preference) {
    .bar::before { animation: move 1.5s ease-in-out infinite alternate; }
    @keyframes move { to { transform: translateX(150%); } }
  }
  .quiet, footer { font-size: 14px; color: var(--quiet); }
  footer { grid-row: 3; text-align: center; }`;

interface StartingPageContent {
  branding: Pick<Branding, 'applicationName' | 'primaryColor' | 'footerText'>;
  language: Language;
  step: StartingStep;
  /** The current detail, for technicians; empty if the step says everything. */
  detail: string;
}

/**
 * The page that a browser shows while the portal starts. It opens the portal automatically. It contains everything it needs,
 * because no files are served yet. Without scripts it reloads itself.
 */
export function startingPage({ branding, language, step, detail }: StartingPageContent): string {
  const { title, opens, [step]: doing } = { ...starting, ...translationsIn(language, 'starting') };
  const icon = brandIcon(branding.primaryColor);
  const name = plainText(branding.applicationName);
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<noscript><meta http-equiv="refresh" content="3"></noscript>
<title>${title} · ${name}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>${styles}
  :root { --brand: ${iconColors(branding.primaryColor).ground}; }
</style>
</head>
<body>
<main>
${icon.replace('<svg ', '<svg aria-hidden="true" ')}
<p class="name">${name}</p>
<h1>${title}</h1>
<div id="doing" role="status"><p>${doing}</p>${detail === '' ? '' : `<p class="quiet" lang="en">${plainText(detail)}</p>`}</div>
<div class="bar"></div>
<p class="quiet">${opens}</p>
</main>
${branding.footerText === '' ? '' : `<footer>${plainText(branding.footerText)}</footer>`}
<script>${script}</script>
</body>
</html>
`;
}
