import { markConnectionLost } from './connection.ts';
import { OfflineError } from './http.ts';

const reloadedKey = 'reloaded-for-update';

/**
 * Wraps a dynamic import, for pages that stay open for long. While the portal is unreachable, its files are unreachable too
 * (OfflineError; the connection counts as lost). After an update the old files no longer exist, so the page reloads itself
 * once.
 */
export function loadCode<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch (cause) {
      if (!(await isPortalUp())) {
        markConnectionLost();
        throw new OfflineError('The code of this page is out of reach', { cause });
      }
      if (!reloadOnce()) throw cause;
      return new Promise<never>(() => {});
    }
  };
}

/** A portal that is starting answers `/health` only. */
async function isPortalUp(): Promise<boolean> {
  try {
    return (await fetch('/health/ready', { cache: 'no-store', signal: AbortSignal.timeout(10_000) })).ok;
  } catch {
    return false;
  }
}

/** False if the page was reloaded within the last minute. Then another reload does not help. */
function reloadOnce(): boolean {
  if (Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < 60_000) return false;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  window.location.reload();
  return true;
}
