import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { NewPasskeyStep, PasskeyRequest } from '../../shared/passkeys.ts';
import type { TestApp } from './app.ts';
import { headersOf } from './second-factor.ts';

/** Options of a passkey's answer, valid and invalid ones. */
export interface Answering {
  origin?: string;
  rpId?: string;
  isUserVerified?: boolean;
  signCount?: number;
  challenge?: string;
  userHandle?: string;
  type?: string;
}

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

/** CBOR (RFC 8949), as far as an attestation needs it. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number) => {
    const first = major << 5;
    if (n < 24) return Buffer.from([first | n]);
    return Buffer.from(n < 256 ? [first | 24, n] : [first | 25, n >> 8, n & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, of]) => [cbor(key), cbor(of)])]);
  }
  throw new Error(`no CBOR for ${typeof value}`);
}

/** A device that keeps one passkey (ES256), and the browser around it. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const point = (text: string) => Buffer.from(text, 'base64url');
  const cose = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]),
  );
  const id = randomBytes(32);
  let userHandle = '';

  const clientData = (type: string, challenge: string, given: Answering) =>
    Buffer.from(
      JSON.stringify({
        type: given.type ?? type,
        challenge: given.challenge ?? challenge,
        origin: given.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authenticatorData = (
    rpId: string,
    { isUserVerified = true, signCount = 0, ...given }: Answering,
    more: Buffer,
  ) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    const flags = Buffer.from([0x01 | (isUserVerified ? 0x04 : 0) | (more.length > 0 ? 0x40 : 0)]);
    return Buffer.concat([sha256(given.rpId ?? rpId), flags, count, more]);
  };

  return {
    /** `navigator.credentials.create` */
    make({ options }: NewPasskeyStep, given: Answering & { attestation?: [string, Map<string, unknown>] } = {}) {
      userHandle = options.user.id;
      const length = Buffer.from([0, id.length]);
      const data = authenticatorData(options.rp.id, given, Buffer.concat([Buffer.alloc(16), length, id, cose]));
      const [format, statement] = given.attestation ?? ['none', new Map()];
      const attestation = new Map<string, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', data],
      ]);
      return {
        id: base64url(id),
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, given)),
          attestationObject: base64url(cbor(attestation)),
        },
      };
    },
    /** `navigator.credentials.get` */
    answer({ token, options }: PasskeyRequest, given: Answering = {}) {
      const client = clientData('webauthn.get', options.challenge, given);
      const data = authenticatorData(options.rpId, given, Buffer.alloc(0));
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        token,
        credential: {
          id: base64url(id),
          response: {
            clientDataJSON: base64url(client),
            authenticatorData: base64url(data),
            signature: base64url(signature),
            userHandle: given.userHandle ?? userHandle,
          },
        },
      };
    },
  };
}

const path = '/api/auth/me/second-factor/passkeys';

export const beginPasskey = async ({ app }: TestApp, headers: object, proof: object) =>
  (
    await app.inject({ method: 'POST', url: `${path}/options`, headers: { ...headers }, payload: proof })
  ).json<NewPasskeyStep>();

/** Adds a passkey, with the password and further proofs of the account. */
export async function addPasskey(
  portal: TestApp,
  given: { headers: { cookie: string }; proof: object; name?: string | undefined; origin: string },
) {
  const device = createAuthenticator(given.origin);
  const headers = { ...given.headers, origin: given.origin };
  const step = await beginPasskey(portal, headers, given.proof);
  const payload = { token: step.token, name: given.name ?? 'Phone', credential: device.make(step) };
  const added = await portal.app.inject({ method: 'POST', url: path, headers, payload });
  if (added.statusCode !== 201) throw new Error(`${added.statusCode} ${added.body}`);
  const { recoveryCodes } = added.json<{ recoveryCodes: string[] | null }>();
  return { device, headers: headersOf(added), recoveryCodes };
}
