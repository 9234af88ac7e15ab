import type { Branding } from '../../shared/app.ts';
import { brandIcon } from '../http/brand-icon.rules.ts';
import { touchIcon } from './touch-icon.ts';
import type { App } from '../http/typed-app.ts';

/** What a browser needs to install the page as an application, in the brand. Open to everybody, like the branding. */
export function installRoutes(app: App, branding: () => Promise<Branding>): void {
  const serve = (path: string, type: string, draw: (branding: Branding) => string | Buffer) =>
    app.get(path, { schema: { hide: true } }, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', 'no-cache')
        .send(draw(await branding())),
    );
  serve('/manifest.webmanifest', 'application/manifest+json; charset=utf-8', (own) => JSON.stringify(manifestOf(own)));
  serve('/icon.svg', 'image/svg+xml; charset=utf-8', ({ primaryColor }) => brandIcon(primaryColor));
  // The path at which an iPhone looks for it.
  serve('/apple-touch-icon.png', 'image/png', ({ primaryColor }) => touchIcon(primaryColor));
}

function manifestOf({ applicationName, logoUrl, primaryColor }: Branding) {
  return {
    id: '/',
    name: applicationName,
    short_name: applicationName,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: primaryColor,
    background_color: '#ffffff',
    icons: [
      // A logo may not be square, as browsers may require; the bolt is.
      ...(logoUrl === '' ? [] : [{ src: logoUrl, sizes: 'any' }]),
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
    ],
  };
}
