export const signIn = {
  title: 'Sign in',
  subtitle: 'Sign in to {name}',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Email or password is wrong.',
  locked: 'Too many failed attempts. You can try again in {time}.',
  unlocked: 'You can try again now.',
  continueHint: 'Sign in to continue to the page you asked for.',
  emailMissing: 'Enter your email address.',
  passwordMissing: 'Enter your password.',
} as const;
