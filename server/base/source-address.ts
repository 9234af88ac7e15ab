const mappedIpv4 = /^::ffff:(?=\d+\.)/i;
const ported = /^(?:(\d+\.\d+\.\d+\.\d+):\d+|\[([^\]]+)\](?::\d+)?)$/;
const maxLength = 64;

/**
 * An address as a proxy forwards it, without the port that some proxies add. With the port, each connection would count as a
 * source.
 */
export function withoutPort(address: string): string {
  const [, ipv4, ipv6] = ported.exec(address) ?? [];
  return ipv4 ?? ipv6 ?? address;
}

/**
 * The source of requests: an IPv4 address, or the /64 network of an IPv6 address, because one customer usually has the whole
 * network.
 */
export function sourceOf(address: string): string {
  const plain = withoutPort(address).replace(mappedIpv4, '');
  if (!plain.includes(':') || plain.includes('.')) return plain.slice(0, maxLength);
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const all = [...groups, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...(tail ?? '').split(':')];
  const network = all.slice(0, 4).map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
  return `${network.join(':')}::/64`.slice(0, maxLength);
}
