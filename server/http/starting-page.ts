import { createHash } from 'node:crypto';
import type { Branding } from '../../shared/branding.ts';
import type { Language } from '../../shared/languages.ts';
import { brandIcon, iconColors } from './brand-icon.rules.ts';
import { plainText } from '../workbook/workbook-text.ts';

/** What a start waits for. */
export type StartingStep = 'database' | 'otherPortal' | 'preparation';

/** Shows what is being done meanwhile, and loads the page that was asked for once the portal answers it. */
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

/** What the content security policy needs beside its own for the one script of the page. */
export const scriptPolicy = `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`;

interface StartingTexts extends Record<StartingStep, string> {
  title: string;
  opens: string;
}

const texts: Record<Language, StartingTexts> = {
  en: {
    title: 'The portal is starting',
    database: 'Waiting for the database…',
    otherPortal: 'Waiting for another portal that is preparing the database…',
    preparation: 'Preparing the database…',
    opens: 'This page opens the portal as soon as it is ready.',
  },
  de: {
    title: 'Das Portal startet',
    database: 'Warten auf die Datenbank…',
    otherPortal: 'Warten auf ein anderes Portal, das die Datenbank vorbereitet…',
    preparation: 'Die Datenbank wird vorbereitet…',
    opens: 'Diese Seite öffnet das Portal, sobald es bereit ist.',
  },
  fr: {
    title: 'Le portail démarre',
    database: 'En attente de la base de données…',
    otherPortal: 'En attente d’un autre portail qui prépare la base de données…',
    preparation: 'Préparation de la base de données…',
    opens: 'Cette page ouvre le portail dès qu’il est prêt.',
  },
  es: {
    title: 'El portal se está iniciando',
    database: 'Esperando a la base de datos…',
    otherPortal: 'Esperando a otro portal que prepara la base de datos…',
    preparation: 'Preparando la base de datos…',
    opens: 'Esta página abre el portal en cuanto esté listo.',
  },
  nl: {
    title: 'Het portaal start op',
    database: 'Wachten op de database…',
    otherPortal: 'Wachten op een ander portaal dat de database voorbereidt…',
    preparation: 'De database wordt voorbereid…',
    opens: 'Deze pagina opent het portaal zodra het klaar is.',
  },
  it: {
    title: 'Il portale si sta avviando',
    database: 'In attesa del database…',
    otherPortal: 'In attesa di un altro portale che prepara il database…',
    preparation: 'Preparazione del database…',
    opens: 'Questa pagina apre il portale non appena è pronto.',
  },
};

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
  /** What is being done there, for technicians; '' where the step says all. */
  detail: string;
}

/**
 * The page for a browser that comes while the portal starts. It opens the portal by itself, and has everything in it, because no
 * files are served yet; without scripts it reloads itself.
 */
export function startingPage({ branding, language, step, detail }: StartingPageContent): string {
  const { title, opens, [step]: doing } = texts[language];
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
