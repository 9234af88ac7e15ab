import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp } from '../support/app.ts';
import { appOfFile } from '../support/app-of-file.ts';
import { pictures, png } from '../support/images.ts';

const html = '<!doctype html><script>alert(1)</script>';
const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
const portal = appOfFile();
let admin: { cookie: string };

beforeAll(async () => {
  admin = await portal.signIn();
});
beforeEach(async () => {
  await portal.app.inject({ method: 'DELETE', url: '/api/branding/logo', headers: admin });
});

const files = async () => (await readdir(portal.config.storage.uploadsPath)).toSorted();
const fetchFile = (url: string) => portal.app.inject({ url });
const logoUrl = async () => (await fetchFile('/api/branding')).json<{ logoUrl: string }>().logoUrl;
const send = (headers: Record<string, string>, payload: Buffer | string) =>
  portal.app.inject({ method: 'POST', url: '/api/branding/logo', headers, payload });

interface UploadOptions {
  name?: string;
  type?: string;
  field?: string;
  headers?: Record<string, string>;
}

/** A form with the file in it, as a browser sends it. */
async function upload(
  content: Uint8Array | string,
  { name = 'logo.png', type = 'image/png', field = 'file', headers }: UploadOptions = {},
) {
  const form = new FormData();
  form.append('note', 'fields are ignored');
  form.append(field, new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type }), name);
  const request = new Request('http://localhost', { method: 'POST', body: form });
  const contentType = request.headers.get('content-type') ?? '';
  return send({ ...(headers ?? admin), 'content-type': contentType }, Buffer.from(await request.arrayBuffer()));
}

describe('POST /api/branding/logo', () => {
  test.each([
    ['png', png(6, 4), 'image/png'],
    ['jpg', pictures.jpeg, 'image/jpeg'],
    ['jpg', pictures.progressiveJpeg, 'image/jpeg'],
    ['jpg', pictures.restartJpeg, 'image/jpeg'],
    ['webp', pictures.lossyWebp, 'image/webp'],
    ['webp', pictures.losslessWebp, 'image/webp'],
    ['webp', pictures.alphaWebp, 'image/webp'],
  ])(
    'a %s: 201 with the branding, served under a name with the hash of its content, with the same picture',
    async (extension, bytes, type) => {
      const answer = await upload(bytes, { name: '../../etc/passwd', type: 'text/html', field: 'anything' });
      expect(answer.statusCode).toBe(201);
      const url = answer.json<{ logoUrl: string }>().logoUrl;
      expect(url).toMatch(new RegExp(`^/uploads/logo-[0-9a-f]{32}\\.${extension}$`));
      expect(await logoUrl()).toBe(url);
      const file = await fetchFile(url);
      expect(file.statusCode).toBe(200);
      const [sent, served] = await Promise.all([bytes, file.rawPayload].map(pixelsOf));
      expect(served?.info).toEqual(sent?.info);
      const differences = sent?.data.map((value, at) => Math.abs(value - (served?.data[at] ?? 999))) ?? [];
      expect(Math.max(...differences)).toBeLessThan(24);
      expect(file.headers).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable',
      });
    },
  );

  const pixelsOf = (bytes: Buffer) => sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });

  const withExif = () =>
    sharp(png(6, 4))
      .withExif({ IFD0: { Copyright: html } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['HTML behind a JPEG', () => Buffer.concat([pictures.jpeg, Buffer.from(html)])],
    ['HTML behind a PNG', () => Buffer.concat([png(6, 4), Buffer.from(html)])],
    ['a comment inside a PNG', () => png(6, 4, html)],
    ['metadata inside a JPEG', withExif],
    ['the further frames of an animation', () => pictures.animatedWebp],
  ])('%s is not kept: the picture is decoded and written anew', async (_name, content) => {
    const answer = await upload(await content());
    expect(answer.statusCode).toBe(201);
    const file = await fetchFile(await logoUrl());
    expect(file.rawPayload.includes('script')).toBe(false);
    const { pages, exif, xmp, iptc, icc, orientation } = await sharp(file.rawPayload).metadata();
    expect([pages ?? 1, exif, xmp, iptc, icc, orientation]).toEqual([1, ...Array.from({ length: 5 }, () => undefined)]);
  });

  test('a picture stored rotated is turned before its metadata is removed', async () => {
    expect((await upload(await withExif())).statusCode).toBe(201);
    const { width, height } = await sharp((await fetchFile(await logoUrl())).rawPayload).metadata();
    expect([width, height]).toEqual([4, 6]);
  });

  test('the next logo replaces the file, the same one keeps it', async () => {
    const first = (await upload(png(6, 4))).json<{ logoUrl: string }>().logoUrl;
    expect((await upload(png(6, 4))).json<{ logoUrl: string }>().logoUrl).toBe(first);
    expect(await files()).toEqual([first.slice('/uploads/'.length)]);
    const second = (await upload(png(6, 5))).json<{ logoUrl: string }>().logoUrl;
    expect(await files()).toEqual([second.slice('/uploads/'.length)]);
    expect((await fetchFile(first)).statusCode).toBe(404);
    expect((await fetchFile(second)).statusCode).toBe(200);
  });

  test('ten uploads at the same moment: one file is left, and it is the one that is shown', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => upload(png(6, 1 + (index % 3)))));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    const url = await logoUrl();
    expect(await files()).toEqual([url.slice('/uploads/'.length)]);
    expect((await fetchFile(url)).statusCode).toBe(200);
  });

  test('the logo survives a restart; a PUT that keeps its address keeps the file, another address removes it', async () => {
    await upload(png(6, 4));
    const branding = (await fetchFile('/api/branding')).json<{ logoUrl: string }>();
    await using restarted = await createTestApp({
      connectionString: portal.config.database.connectionString ?? '',
      environment: { Storage__UploadsPath: portal.config.storage.uploadsPath },
    });
    expect((await restarted.app.inject({ url: branding.logoUrl })).statusCode).toBe(200);
    const put = (payload: object) =>
      portal.app.inject({ method: 'PUT', url: '/api/branding', headers: admin, payload });
    await put({ ...branding, footerText: 'New' });
    expect((await fetchFile(branding.logoUrl)).statusCode).toBe(200);
    await put({ ...branding, logoUrl: 'https://example.com/logo.png' });
    expect(await files()).toEqual([]);
  });

  test('DELETE: 204, the address falls back to the WhiteLabel setting and the file is gone', async () => {
    const { logoUrl: url } = (await upload(png(6, 4))).json<{ logoUrl: string }>();
    for (let times = 0; times < 2; times += 1) {
      const answer = await portal.app.inject({ method: 'DELETE', url: '/api/branding/logo', headers: admin });
      expect(answer.statusCode).toBe(204);
    }
    expect(await logoUrl()).toBe('');
    expect((await fetchFile(url)).statusCode).toBe(404);
    expect(await files()).toEqual([]);
  });
});

describe('Rejected logos', () => {
  const problem = 'The file is not a complete PNG, JPEG or WebP image; choose another file.';

  test.each<[string, Uint8Array | string]>([
    ['an SVG', svg],
    ['HTML named .png', html],
    ['a GIF', pictures.gif],
    ['an empty file', ''],
    ['half a PNG', png(600, 400).subarray(0, 60)],
    ['a PNG that ends within its picture', png(600, 400).subarray(0, -20)],
    ['half a JPEG', pictures.restartJpeg.subarray(0, -30)],
    ['half a WebP', pictures.lossyWebp.subarray(0, 40)],
    ['HTML with a PNG behind it', Buffer.concat([Buffer.from(html), png(6, 4)])],
  ])('%s: 400, nothing is kept', async (_name, content) => {
    const answer = await upload(content);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: problem });
    expect(await files()).toEqual([]);
  });

  test.each([
    [40_000, 1],
    [1, 4_097],
    [40_000, 40_000],
  ])('an image of %i × %i pixels: 400 that says how many are allowed', async (width, height) => {
    const bytes = width * height > 1e9 ? hugePng() : png(width, height);
    const answer = await upload(bytes);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      error: `The image has ${width} × ${height} pixels; a logo has at most 4096 × 4096.`,
    });
    expect(await files()).toEqual([]);
  });

  /** A few bytes that claim to unpack to 1.6 gigapixels. */
  function hugePng(): Buffer {
    const bytes = Buffer.from(png(1, 1));
    bytes.writeUInt32BE(40_000, 16);
    bytes.writeUInt32BE(40_000, 20);
    return bytes;
  }

  test('4096 × 4096 pixels are allowed', async () => {
    expect((await upload(png(4_096, 4_096))).statusCode).toBe(201);
  });

  test('1 MiB is allowed; one byte more is 413', async () => {
    const empty = png(6, 4, ' ').length - 1;
    expect((await upload(png(6, 4, 'x'.repeat(1024 * 1024 - empty)))).statusCode).toBe(201);
    const answer = await upload(png(6, 4, 'x'.repeat(1024 * 1024 - empty + 1)));
    expect(answer.statusCode).toBe(413);
    expect(answer.json()).toMatchObject({ error: 'The logo is larger than 1 MiB; choose a smaller file.' });
  });

  test('a script inside an image stays text: the file has the type of an image and is sandboxed', async () => {
    const { logoUrl: url } = (await upload(png(6, 4, html), { type: 'text/html', name: 'x.html' })).json<{
      logoUrl: string;
    }>();
    const file = await fetchFile(url);
    expect(file.headers['content-type']).toBe('image/png');
    expect(file.headers['x-content-type-options']).toBe('nosniff');
    expect(file.headers['content-security-policy']).toBe("default-src 'none'; sandbox");
  });

  const field = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nabc\r\n`;
  const filePart = (name: string) =>
    `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\nabc\r\n`;

  test.each([
    ['fields before the file', `${field('x').repeat(150)}${filePart('l.png')}--b--\r\n`],
    ['fields behind the file', `${filePart('l.png')}${field('x').repeat(150)}--b--\r\n`],
    ['two files', `${filePart('l.png')}${filePart('m.png')}--b--\r\n`],
  ])('a form with too many parts is refused, in whatever order they come: %s', async (_name, payload) => {
    for (let time = 0; time < 10; time += 1) {
      const answer = await send({ ...admin, 'content-type': 'multipart/form-data; boundary=b' }, payload);
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
        400,
        'The form has more than one part; send the file alone.',
      ]);
    }
  });

  test('a form with fifty fields around its file is accepted, each time', async () => {
    const content = pictures.jpeg.toString('latin1');
    const file = `--b\r\ncontent-disposition: form-data; name="file"; filename="l.jpg"\r\n\r\n${content}\r\n`;
    const form = `${field('x').repeat(25)}${file}${field('x').repeat(25)}--b--\r\n`;
    for (let time = 0; time < 10; time += 1) {
      const headers = { ...admin, 'content-type': 'multipart/form-data; boundary=b' };
      expect((await send(headers, Buffer.from(form, 'latin1'))).statusCode).toBe(201);
    }
  });

  test('a bare image is rejected with the hint to send a form', async () => {
    const answer = await send({ ...admin, 'content-type': 'image/png' }, 'x');
    expect(answer.json()).toMatchObject({
      error: 'This content type is not accepted; send multipart/form-data.',
    });
  });

  test.each<[string, Record<string, string>, string, number]>([
    ['JSON', { 'content-type': 'application/json' }, '{"logo":"x"}', 415],
    ['a bare image', { 'content-type': 'image/png' }, 'x', 415],
    ['no content type', {}, '', 415],
    ['a form without a boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    ['an empty form', { 'content-type': 'multipart/form-data; boundary=b' }, '', 400],
    ['a form that ends early', { 'content-type': 'multipart/form-data; boundary=b' }, '--b\r\ncontent-disp', 400],
    [
      'a file that ends early',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\ncontent-disposition: form-data; name="f"; filename="l.png"\r\n\r\nabc',
      400,
    ],
    [
      'a form without a file',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\ncontent-disposition: form-data; name="f"\r\n\r\nabc\r\n--b--\r\n',
      400,
    ],
    [
      'a field that would poison a prototype',
      { 'content-type': 'multipart/form-data; boundary=b' },
      '--b\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nabc\r\n--b--\r\n',
      400,
    ],
  ])('%s: a clear refusal', async (_name, headers, payload, status) => {
    const answer = await send({ ...admin, ...headers }, payload);
    expect(answer.statusCode).toBe(status);
    expect(answer.json<{ error: string }>().error).toMatch(/^[A-Z].*\.$/);
    expect(await files()).toEqual([]);
  });
});

describe('GET /uploads/', () => {
  test.each([
    '/uploads/',
    '/uploads',
    '/uploads/logo.png',
    '/uploads/secret.html',
    '/uploads/.draft-x',
    '/uploads/../keys/session-2026-03-10.key',
    '/uploads/..%2fkeys%2fx',
    '/uploads/%2e%2e/x',
    '/uploads/logo-00000000000000000000000000000000.png',
    '/uploads/logo-00000000000000000000000000000000.png%00.html',
    '/uploads//logo-00000000000000000000000000000000.png',
  ])('%s is a JSON 404: only logos are served, and no list of them', async (url) => {
    await writeFile(join(portal.config.storage.uploadsPath, 'secret.html'), html);
    await writeFile(join(portal.config.storage.uploadsPath, 'logo.png'), html);
    const answer = await fetchFile(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ error: expect.any(String) });
  });
});
