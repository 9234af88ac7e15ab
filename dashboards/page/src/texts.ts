import { own } from '../../../messages/en/tool.ts';
import type { Translated } from '../../../shared/messages.ts';
import { language } from './reader.ts';
import { zone } from './zone.ts';

interface Catalogue {
  own: Translated<typeof own>;
  /** Of the dashboards that ship with the tool: by the English text. */
  shipped: Readonly<Record<string, string>>;
}

/** English stands in the code; of the others nobody downloads two. */
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

/** Says by whose clock something is that is not by the reader's own, or not by that of what else is shown. */
export const otherClock = (timeZone: string): string =>
  timeZone === zone() && timeZone === browserZone ? '' : fill(texts.timesIn, { zone: timeZone });
