import { common } from './common.ts';
import { errors } from './errors.ts';
import { secondFactor } from './second-factor.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import type { FirstMessages, Translated } from '../message-types.ts';

export const first: Translated<FirstMessages> = { common, errors, secondFactor, shell, signIn };
