import { type ComponentType, useState } from 'react';
import { SignInPage } from '../features/sign-in/SignInPage.tsx';
import { safeReturnPath } from '../lib/return-path.ts';

interface EntryProps {
  /** The pages behind sign-in, at the current URL; null without a session. */
  pages: ComponentType | null;
  loadPages: () => Promise<ComponentType>;
}

/** The first content of the window: the sign-in form, which does not wait for the router, or the pages behind sign-in. */
export function Entry({ pages, loadPages }: EntryProps) {
  const [Pages, setPages] = useState(() => pages);
  const [linkToken] = useState(readLinkToken);
  const [returnTo] = useState(() => (pages === null && linkToken === null ? goToSignIn() : '/'));
  if (linkToken !== null) return <SignInPage linkToken={linkToken} returnTo="/" onSignedIn={() => undefined} />;
  if (Pages !== null) return <Pages />;
  const enter = () => {
    window.history.replaceState(null, '', returnTo);
    // If the code of the page is missing, the URL is loaded again. The new page then shows the problem.
    loadPages().then(
      (loaded) => setPages(() => loaded),
      () => window.location.reload(),
    );
  };
  return <SignInPage returnTo={returnTo} onSignedIn={enter} />;
}

/** The token of a link for a new password. It counts even if a user is signed in. Null at other URLs. */
function readLinkToken(): string | null {
  const { pathname, hash } = window.location;
  return pathname === '/reset-password' ? (new URLSearchParams(hash.slice(1)).get('token') ?? '') : null;
}

/** The URL that the reader wanted. Afterwards the URL is that of sign-in. */
function goToSignIn(): string {
  const { pathname, search, hash } = window.location;
  const asked = pathname === '/sign-in' ? new URLSearchParams(search).get('returnTo') : pathname + search + hash;
  const returnTo = safeReturnPath(asked);
  const query = returnTo === '/' ? '' : `?${new URLSearchParams({ returnTo }).toString()}`;
  window.history.replaceState(null, '', `/sign-in${query}`);
  return returnTo;
}
