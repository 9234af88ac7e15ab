/** The forms for users who are not signed in: to ask for a link by mail, and to use it. */
export const passwordLinks = {
  title: 'Reset your password',
  text: 'Enter the email address of your account to get a link for a new password.',
  send: 'Send link',
  sent: 'If {email} has an account, a link is on its way. It is valid for one hour.',
  back: 'Back to sign-in',
  newTitle: 'Set your password',
  newPassword: 'New password',
  set: 'Set password',
  isSet: 'Password set. You can now sign in.',
} as const;
