/** What the page of the own password says of a second factor; what the sign-in page says too is in `second-factor.ts`. */
export const settingsSecondFactor = {
  description: 'Sign-in needs more than your password: a code from an app, or a passkey.',
  off: 'Off: only your password protects your account.',
  on: 'On since {day}.',
  codesLeft: '{count, plural, =0 {No recovery codes left.} one {# recovery code left.} other {# recovery codes left.}}',
  replaceText: 'Your current app and recovery codes will stop working. Other sessions are signed out.',
  addText: 'You get new recovery codes, and other sessions are signed out.',
  firstText: 'You’ll need it at every sign-in. Other sessions are signed out.',
  renewText: 'Your current recovery codes will stop working.',
  turnOffText: 'You’ll sign in with your password only. Other sessions are signed out.',
  goOn: 'Continue',
  turnedOn: 'Two-factor authentication is on',
  turnedOff: 'Two-factor authentication is off',
  notOfNewApp: 'Wrong code. Check the clock on your phone.',
  noPasskeysHere: 'Passkeys need HTTPS and a domain name; this address is {host}.',
  addPasskeyText: 'Other sessions are signed out.',
  passkeyAdded: 'Passkey added',
  ofHost: 'for {host}',
  removePasskeyNamed: 'Remove {name}',
  removePasskeyText:
    'You won’t be able to sign in with it, and other sessions are signed out. Also delete it on the device.',
  removeLastText:
    'You’ll sign in with your password only, and other sessions are signed out. Also delete the passkey on the device.',
  passkeyRemoved: 'Passkey removed',
} as const;
