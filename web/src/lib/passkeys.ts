import { type NewPasskeyStep, type PasskeyAnswer, passkeyRequest } from '../../../shared/passkeys.ts';
import { fetchJson } from './http.ts';
import { loadCode } from './load-code.ts';

/** No device answered: the user declined, or has no passkey for this portal. */
export class NoPasskeyError extends Error {
  override readonly name = 'NoPasskeyError';
}

/** Whether browsers support passkeys at the address of this page: over https or on localhost, and with a host name. */
export const mayHavePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** The device already has a passkey of this account. It keeps only one. */
export class PasskeyThereError extends Error {
  override readonly name = 'PasskeyThereError';
}

// Loaded with the first passkey, because most users have none.
const load = loadCode(() => import('@simplewebauthn/browser'));

async function orNone<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    // Browsers report this only for a new passkey, after the user has agreed.
    if (error instanceof Error && error.name === 'InvalidStateError') throw new PasskeyThereError('there already');
    throw new NoPasskeyError('no passkey', { cause: error });
  });
}

/** Requests a passkey from the user: a proof that works once. */
export async function askForPasskey(): Promise<PasskeyAnswer> {
  const { token, options } = await fetchJson('/api/auth/login/passkey/options', passkeyRequest, { method: 'POST' });
  const { startAuthentication } = await load();
  const { id, response } = await orNone(startAuthentication({ optionsJSON: options }));
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const answered = { clientDataJSON, authenticatorData, signature };
  return { token, credential: { id, response: userHandle === undefined ? answered : { ...answered, userHandle } } };
}

/** Creates a passkey for a step that has begun. */
export async function makePasskey({ token, options }: NewPasskeyStep) {
  const { startRegistration } = await load();
  const { id, response } = await orNone(startRegistration({ optionsJSON: options }));
  const { clientDataJSON, attestationObject } = response;
  return { token, credential: { id, response: { clientDataJSON, attestationObject } } };
}
