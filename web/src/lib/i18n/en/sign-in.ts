export const signIn = {
  title: 'Sign in',
  subtitle: 'Sign in to {name}',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Email or password is wrong.',
  locked: 'Too many failed attempts. You can try again in {time}.',
  unlocked: 'You can try again now.',
  overTitle: 'Your session has ended',
  overText: 'Sign in again to go on. What you have typed on this page is still there; save it again afterwards.',
  leave: 'Leave this page',
  continueHint: 'Sign in to continue to the page you asked for.',
  signOutDue:
    'You are signed out on this device. The session at the portal ends as soon as the portal can be reached from here.',
  emailMissing: 'Enter your email address.',
  withPasskey: 'Sign in with a passkey',
} as const;
