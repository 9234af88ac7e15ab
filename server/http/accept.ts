import { type Language, languages } from '../../shared/messages.ts';

/**
 * Whether the response to a request may be a page: its `Accept` takes HTML, by name or by a wildcard, and does not prefer JSON.
 */
export function takesHtml(accept: string | undefined): boolean {
  const quality = qualityOf(accept, 'text/html', 'text/*', '*/*');
  return quality > 0 && quality >= qualityOf(accept, 'application/json');
}

/** Whether `Accept` names HTML, as browsers do for pages. */
export const namesHtml = (accept: string | undefined): boolean =>
  accept !== undefined && qualityOf(accept, 'text/html') > 0;

/** Returns the first of `ranges` that the header names. `ranges` must begin with the most specific one. */
function qualityOf(accept = '*/*', ...ranges: string[]): number {
  const named = new Map(preferences(accept));
  for (const range of ranges) {
    const quality = named.get(range);
    if (quality !== undefined) return quality;
  }
  return 0;
}

/** The language of the page that an `Accept-Language` prefers; English if it names none of them. */
export function preferredLanguage(acceptLanguage = ''): Language {
  let preferred: { language: Language; quality: number } | undefined;
  for (const [tag, quality] of preferences(acceptLanguage)) {
    const language = languages.find((one) => one === tag.split('-', 1)[0]);
    if (language !== undefined && quality > (preferred?.quality ?? 0)) preferred = { language, quality };
  }
  return preferred?.language ?? 'en';
}

/** The values of a header such as `Accept`, in lower case, each with its quality from 0 to 1 (RFC 9110, 12.4.2). */
function preferences(header: string): [value: string, quality: number][] {
  return header
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [value = '', ...parameters] = part.split(';').map((text) => text.trim());
      const given = parameters.find((text) => text.startsWith('q='))?.slice('q='.length);
      const quality = given === undefined ? 1 : Number(given);
      return [value, quality >= 0 && quality <= 1 ? quality : 0];
    });
}
