import { getRouteApi, useRouter } from '@tanstack/react-router';
import { SignInPage } from '../features/sign-in/SignInPage.tsx';

const route = getRouteApi('/sign-in');

/** Sign-in after an earlier session in this window. */
export function SignInRoute() {
  const router = useRouter();
  const { returnTo = '/' } = route.useSearch();
  return <SignInPage returnTo={returnTo} onSignedIn={() => void router.navigate({ href: returnTo, replace: true })} />;
}
