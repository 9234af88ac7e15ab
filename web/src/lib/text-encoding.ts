export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * The encoding of a text file, from its byte order mark or its first bytes. A file that is not UTF-8 counts as Windows-1252,
 * which Excel writes.
 */
export function guessEncoding(head: Uint8Array): TextEncodingName {
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // In UTF-16, letters of most languages have a zero in every second byte.
  const zeros = [0, 0];
  for (const [at, byte] of head.subarray(0, 1024).entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const some = Math.min(head.length, 1024) / 8;
  if (odd > some) return 'utf-16le';
  if (even > some) return 'utf-16be';
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

export const decodeText = (bytes: Uint8Array): string => new TextDecoder(guessEncoding(bytes)).decode(bytes);
