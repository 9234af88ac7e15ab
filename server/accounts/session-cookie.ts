import { z } from 'zod';
import type { Session } from './sessions.rules.ts';
import { openSealed, seal } from './sealed.ts';
import type { SessionKeys } from './session-keys.ts';

const payload = z.object({
  accountId: z.guid(),
  sessionId: z.guid(),
  securityStamp: z.guid(),
  signedInAt: z.int().nonnegative(),
  lastSeenAt: z.int().nonnegative(),
});

/** A session as the text of a cookie: encrypted and authenticated with the newest key. */
export const sealSession = async (keys: SessionKeys, session: Session): Promise<string> =>
  seal(await keys.newest(), session);

/** The session in a cookie; null if the text is forged, cut, changed or sealed with an unknown key. */
export const openSealedSession = (keys: SessionKeys, sealed: string): Promise<Session | null> =>
  openSealed(keys.find, sealed, payload);
