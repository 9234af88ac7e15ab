import { own } from '../../../messages/en/tool.ts';
import type { Translated } from '../../../shared/messages.ts';
import { format, language } from './reader.ts';
import { zone } from './zone.ts';

interface Catalogue {
  own: Translated<typeof own>;
  /** Texts of the built-in dashboards, by the English text. */
  shipped: Readonly<Record<string, string>>;
}

/** English texts are in the code. Of the other languages only the one in use is downloaded. */
async function load(): Promise<Catalogue> {
  if (language === 'en') return { own, shipped: {} };
  const { default: translated }: { default: Catalogue } = await import(`../../../messages/${language}/tool.json`);
  return translated;
}

export const { own: texts, shipped: shippedTexts } = await load();

/** A text with its `{placeholders}` filled in. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const timesIn = (timeZone: string): string => fill(texts.timesIn, { zone: format.timeZoneName(timeZone) });

/** Names the time zone of a time, unless it is the reader's zone or that of the rest of the page. */
export const otherClock = (timeZone: string): string =>
  timeZone === zone() && timeZone === browserZone ? '' : timesIn(timeZone);
