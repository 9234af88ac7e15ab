import type { Branding } from '../../shared/app.ts';
import { brandIcon, drawBolt, iconColors, maxCovered, rgbOf } from '../http/brand-icon.rules.ts';
import type { App } from '../http/guard.ts';
import { crc32, deflateSync } from 'node:zlib';

/** The size of an icon on an iPhone's home screen, in pixels; iPhones accept only PNG. */
const size = 180;
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The pixel data, equal for every color: one byte per pixel and, before each row, a filter byte (none). */
let rows: Buffer | undefined;

/** The icon of the brand as a palette PNG; the palette blends the background into the color of the bolt. */
function touchIcon(primaryColor: string): Buffer {
  rows ??= deflateSync(packRows(drawBolt(size)));
  const { ground, ink } = iconColors(primaryColor);
  const [from, to] = [rgbOf(ground), rgbOf(ink)];
  const palette = Array.from({ length: maxCovered + 1 }, (_, step) =>
    from.map((part, at) => Math.round(part + (((to[at] ?? part) - part) * step) / maxCovered)),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // Each pixel has eight bits, which select a color of the palette.
  header.set([8, 3], 8);
  const chunks = [chunk('IHDR', header), chunk('PLTE', Buffer.from(palette.flat())), chunk('IDAT', rows)];
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function packRows(pixels: Uint8Array): Buffer {
  const packed = Buffer.alloc(size * (size + 1));
  for (let row = 0; row < size; row += 1) {
    packed.set(pixels.subarray(row * size, (row + 1) * size), row * (size + 1) + 1);
  }
  return packed;
}

function chunk(kind: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(kind, 'ascii'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

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
  // The path that iPhones request.
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
      // Browsers may require a square icon. The bolt is square; a logo may not be.
      ...(logoUrl === '' ? [] : [{ src: logoUrl, sizes: 'any' }]),
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
    ],
  };
}
