import type { Plugin } from 'vite';

/**
 * Leaves the writer of JSON Schema out of zod, which every schema would bring along: 4 kB of each first load. Only the server
 * describes its schemas.
 */
export function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/ },
      handler(code) {
        const rest = code
          .replace(/^ *inst\._zod\.processJSONSchema = \(ctx, json, params\) => .*;\n/gm, '')
          .replace(/^import \{.*\} from "\.\.\/core\/to-json-schema\.js";$/m, 'const none = () => undefined;')
          .replace(/create(?:Standard|To)JSONSchemaMethod\(/g, 'none(');
        if (!rest.includes('const none') || /processJSONSchema|to-json-schema|JSONSchemaMethod/.test(rest))
          this.error('zod describes its schemas in another way now: without-json-schema.ts no longer finds it.');
        return { code: rest, map: null };
      },
    },
  };
}
