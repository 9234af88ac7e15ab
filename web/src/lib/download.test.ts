import { describe, expect, it } from 'vitest';
import { fileNameOf } from './download.ts';

describe('the name of a downloaded file', () => {
  it.each([
    ['attachment; filename="measurements-1meter-20260301-20260401.xlsx"', 'measurements-1meter-20260301-20260401.xlsx'],
    ['attachment; filename=summary.xlsx', 'summary.xlsx'],
    ['Attachment;FileName="summary.xlsx"; size=3', 'summary.xlsx'],
    [String.raw`attachment; filename="a \"b\" c.csv"`, 'a "b" c.csv'],
    ['attachment; filename="a;b.csv"', 'a;b.csv'],
    [`attachment; filename="Zaehler.csv"; filename*=UTF-8''Z%C3%A4hler.csv`, 'Zähler.csv'],
    [`attachment; filename*=UTF-8''%E0%A4.csv; filename="plain.csv"`, 'plain.csv'],
  ])('of %s is %s', (header, name) => {
    expect(fileNameOf(header)).toBe(name);
  });

  it.each([
    null,
    '',
    'inline; filename="page.html"',
    'attachment',
    'attachment; filename=""',
    'attachments; filename=a',
  ])('is unknown for %j, which is not a file to save', (header) => {
    expect(fileNameOf(header)).toBeNull();
  });
});
