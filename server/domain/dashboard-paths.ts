import { DomainError } from './errors.ts';

// Slashes, dots and backslashes in percent encoding are read by some proxies as what they stand for.
const disguised = /%(?:2e|2f|5c|00|25)|%(?![\dA-F]{2})/i;
// Path segments, then maybe a query; a fragment never reaches the tool.
const plain = /^(?:\/[\w~!$&'()*+,;=:@.%-]+)*\/?(?:\?[\w~!$&'()*+,;=:@.%/?-]*)?$/;

/**
 * What stands behind the prefix in the path of an embedded dashboard: empty, or from its `/` or `?` on. Throws `invalid` where the
 * path does not lie under the prefix, or only until somebody follows its dots, slashes or encodings.
 */
export function pathBelow(prefix: string, path: string): string {
  const rest = path.slice(prefix.length);
  const isUnder = path.startsWith(prefix) && /^(?:[/?]|$)/.test(rest);
  const hasWayUp = rest.split(/[/?]/).some((segment) => segment === '.' || segment === '..');
  if (!isUnder || hasWayUp || disguised.test(rest) || !plain.test(rest)) {
    throw new DomainError(
      'invalid',
      `path: takes a path under ${prefix} such as ${prefix}/dashboards/overview, without "..", "//", a backslash, an encoded slash or dot, or a fragment; got ${path.length > 100 ? `a text of ${path.length} characters` : JSON.stringify(path)}.`,
    );
  }
  return rest;
}
