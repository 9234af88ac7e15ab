import compile from 'icu-minify/compile';
import { Visitor, type Plugin } from 'vite';

/** The catalogues; the portal's sentences beside them are no ICU messages. */
const catalogue = /[\\/]src[\\/]lib[\\/]i18n[\\/][a-z]{2}(?:[\\/](?!sentences\.)[^\\/]+)?\.ts$/;

/**
 * Reads the page's texts (ICU messages) when it is built, so that it neither loads the code that reads them nor spends a reader's
 * time on it. What stays in the page puts the values in.
 */
export function precompiledTexts(): Plugin {
  return {
    name: 'precompiled-texts',
    apply: 'build',
    config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
    transform: {
      filter: { id: catalogue },
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
  };
}
