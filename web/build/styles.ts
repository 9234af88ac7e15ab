import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/**
 * Links the styles after the first visible content, which browsers paint without waiting for them. Scripts wait for the styles
 * all the same.
 */
export function orderPage(): Plugin {
  return {
    name: 'order-page',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => {
        const styles = /^ *<link rel="stylesheet".*>\n/m.exec(html)?.[0] ?? '';
        return html.replace(styles, '').replace(/ *<\/body>/, `${styles}$&`);
      },
    },
  };
}

/** The typeface again under a second name, for pages that use it only if it is cached; see tokens.css. */
export function keptTypeface(): Plugin {
  return {
    name: 'kept-typeface',
    enforce: 'pre',
    transform: {
      filter: { id: /@fontsource-variable\/inter\/.*\.css$/ },
      handler: (css) =>
        css + css.replaceAll('Inter Variable', 'Inter Kept').replaceAll('display: swap', 'display: optional'),
    },
  };
}

/** Fails the build if a file uses a class of Mantine whose rules the styles lack. */
export function requireStyles(): Plugin {
  const classesOf = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g));
  return {
    name: 'require-styles',
    apply: 'build',
    generateBundle: {
      // The styles are written last.
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const code = files.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
        const styles = files.map((file) =>
          file.type === 'asset' && file.fileName.endsWith('.css') ? String(file.source) : '',
        );
        const allStyles = fileURLToPath(import.meta.resolve('@mantine/core/styles.layer.css'));
        const known = classesOf(readFileSync(allStyles, 'utf8'));
        const missing = known.intersection(classesOf(code)).difference(classesOf(styles.join('\n')));
        if (missing.size > 0) {
          this.error(
            `The styles lack ${[...missing].join(', ')} of Mantine: mantine.css must import the components they belong to.`,
          );
        }
      },
    },
  };
}
