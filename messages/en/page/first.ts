import { common } from './common.ts';
import { errors } from './errors.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';

/** What is said also where nobody is signed in. */
export const first = { common, errors, shell, signIn };
