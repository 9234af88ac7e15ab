import compile from 'icu-minify/compile';
import { Visitor, type Plugin } from 'vite';

/** The texts of the page; the others in `messages/` are not ICU messages. */
const english = /[\\/]messages[\\/]en[\\/]page[\\/][^\\/]+\.ts$/;
const translation = /[\\/]messages[\\/][a-z]{2}[\\/]page[\\/][^\\/]+\.json$/;

/**
 * Parses the page's texts (ICU messages) when it is built, so that the page neither loads the parser nor spends the reader's time
 * on parsing. Only the code that fills in values stays in the page.
 */
export const precompiledTexts = (): Plugin[] => [
  {
    name: 'precompiled-translations',
    apply: 'build',
    // Before Vite turns JSON into modules.
    enforce: 'pre',
    transform: { filter: { id: translation }, handler: (code) => ({ code: compileTranslation(code), map: null }) },
  },
  {
    name: 'precompiled-texts',
    apply: 'build',
    config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
    transform: {
      filter: { id: english },
      handler(code) {
        const changes: { start: number; end: number; text: string }[] = [];
        new Visitor({
          Property({ value }) {
            if (value.type !== 'Literal' || typeof value.value !== 'string') return;
            const compiled = JSON.stringify(compile(value.value));
            changes.push({ start: value.start, end: value.end, text: compiled });
          },
        }).visit(this.parse(code));
        let made = '';
        let from = 0;
        for (const { start, end, text } of changes.toSorted((a, b) => a.start - b.start)) {
          made += code.slice(from, start) + text;
          from = end;
        }
        return { code: made + code.slice(from), map: null };
      },
    },
  },
];

const compileTranslation = (json: string) =>
  JSON.stringify(JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? compile(value) : value)));
