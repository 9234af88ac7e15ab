import { message, refuseField } from '../base/errors.ts';

// Some proxies decode percent-encoded slashes, dots and backslashes.
const disguised = /%(?:2e|2f|5c|00|25)|%(?![\dA-F]{2})/i;
// Path segments, then maybe a query; a fragment never reaches the tool.
const plain = /^(?:\/[\w~!$&'()*+,;=:@.%-]+)*\/?(?:\?[\w~!$&'()*+,;=:@.%/?-]*)?$/;

/**
 * The part of an embedded dashboard's path after the prefix: empty, or beginning with `/` or `?`. Throws `invalid` if the path
 * is not under the prefix, or would leave it once dots, slashes and encodings are resolved.
 */
export function pathBelow(prefix: string, path: string): string {
  const rest = path.slice(prefix.length);
  const isUnder = path.startsWith(prefix) && /^(?:[/?]|$)/.test(rest);
  const hasWayUp = rest.split(/[/?]/).some((segment) => segment === '.' || segment === '..');
  if (!isUnder || hasWayUp || disguised.test(rest) || !plain.test(rest)) {
    throw refuseField(
      'path',
      message('fieldTakes', {
        accepted: message('pathUnder', { prefix, example: `${prefix}/dashboards/overview` }),
        got: path.length > 100 ? message('aTextOf', { count: path.length }) : JSON.stringify(path),
      }),
    );
  }
  return rest;
}

/**
 * The name of the dashboard that this part opens in our tool. Null for the list of all dashboards; undefined if it opens
 * nothing.
 */
export function dashboardIn(rest: string): string | null | undefined {
  const [path = ''] = rest.split('?');
  return path === '' || path === '/' ? null : /^\/dashboards\/([^/]+)\/?$/.exec(path)?.[1];
}
