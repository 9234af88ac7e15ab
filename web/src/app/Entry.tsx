import { type ComponentType, useState } from 'react';
import { SignInPage } from '../features/sign-in/SignInPage.tsx';
import { safeReturnPath } from '../lib/return-path.ts';

interface EntryProps {
  /** The pages behind sign-in, at the address of the window; null where nobody is signed in. */
  pages: ComponentType | null;
  loadPages: () => Promise<ComponentType>;
}

/** What the window begins with: sign-in, which needs no router and does not wait for one, or the pages behind it. */
export function Entry({ pages, loadPages }: EntryProps) {
  const [Pages, setPages] = useState(() => pages);
  const [returnTo] = useState(() => (pages === null ? goToSignIn() : '/'));
  if (Pages !== null) return <Pages />;
  const enter = () => {
    window.history.replaceState(null, '', returnTo);
    // Without its code the address is opened anew, which says what is wrong.
    loadPages().then(
      (loaded) => setPages(() => loaded),
      () => window.location.reload(),
    );
  };
  return <SignInPage returnTo={returnTo} onSignedIn={enter} />;
}

/** Where the reader wanted to go; the address is that of sign-in from then on. */
function goToSignIn(): string {
  const { pathname, search, hash } = window.location;
  const asked = pathname === '/sign-in' ? new URLSearchParams(search).get('returnTo') : pathname + search + hash;
  const returnTo = safeReturnPath(asked);
  const query = returnTo === '/' ? '' : `?${new URLSearchParams({ returnTo }).toString()}`;
  window.history.replaceState(null, '', `/sign-in${query}`);
  return returnTo;
}
