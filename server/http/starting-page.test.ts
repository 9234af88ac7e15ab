import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { languages } from '../../shared/messages.ts';
import { scriptPolicy, startingPage } from './starting-server.ts';

const branding = { applicationName: 'Acme Power', primaryColor: '#123456', footerText: '' };

it.each(languages)(
  'the page of a starting portal shows the current step, loads nothing, and works without scripts (%s)',
  (language) => {
    const pages = (['database', 'otherPortal', 'preparation'] as const).map((step) =>
      startingPage({ branding, language, step, detail: '' }),
    );
    for (const page of pages) {
      expect(page).toContain(`<html lang="${language}">`);
      expect(page).toContain('<noscript><meta http-equiv="refresh" content="3"></noscript>');
      expect(page).toMatch(/<title>.+ · Acme Power<\/title>/);
      expect(page).toContain('#123456');
      const [, script = ''] = /<script>([^]*)<\/script>/.exec(page) ?? [];
      expect(scriptPolicy).toBe(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
      expect(page).not.toMatch(/<script |<img|\ssrc=|url\(|@import|\son\w+=|href="(?!data:image)/);
    }
    expect(new Set(pages)).toHaveLength(3);
  },
);

it('no two languages have the same text', () => {
  const pages = languages.map((language) => startingPage({ branding, language, step: 'preparation', detail: '' }));
  const said = pages.map((page) => /<p>(.+?)<\/p>/.exec(page)?.[1]);
  expect(new Set(said)).toHaveLength(languages.length);
});

it('the page of a starting portal shows names and details as text, and accepts only valid colors', () => {
  const hostile = '</title><script>alert(1)</script>"';
  const page = startingPage({
    branding: { applicationName: hostile, primaryColor: 'red;} body{display:none', footerText: hostile },
    language: 'en',
    step: 'preparation',
    detail: hostile,
  });
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toContain('display:none');
  expect(page.match(/&lt;script&gt;/g)).toHaveLength(4);
});
