import { useTranslations } from 'use-intl';
import { errorInLanguage } from './i18n/error-texts.ts';
import { NoPasskeyError, PasskeyThereError } from './passkeys.ts';
import { ApiError, BrokenOffError, ContractError, OfflineError } from './http.ts';

/** Fields of requests that are in no form. */
const unseenFields = ['token', 'credential'] as const;

/** The answer of `GET /api/auth/me` without a session. */
const isUnexplained401 = ({ status, message }: ApiError): boolean => status === 401 && message === '';

/** Turns any error into one sentence for the user. If the server sent a sentence, it is used. */
export function useErrorText(): (error: unknown) => string {
  const t = useTranslations('errors');
  const tSignIn = useTranslations('signIn');
  return (error) => {
    // The user signs in on top of the page, so the text must not contain "first".
    if (error instanceof ApiError && (error.refusal?.code === 'signInFirst' || isUnexplained401(error)))
      return t('sessionWasOver');
    if (error instanceof ApiError && error.message !== '') {
      const { message, refusal } = error;
      return (
        fieldRefusal(error, unseenFields)?.message ?? (refusal === null ? message : errorInLanguage(message, refusal))
      );
    }
    if (error instanceof OfflineError) return t('offline');
    if (error instanceof BrokenOffError) return t('brokenOff');
    if (error instanceof ContractError) return t('outdated');
    if (error instanceof NoPasskeyError) return tSignIn('passkeyNotGiven');
    if (error instanceof PasskeyThereError) return tSignIn('passkeyThere');
    return t('unexpected');
  };
}

/**
 * The text of a 400 or 409 about one of the fields, without the name of the field, to be shown at the field. Null for every other
 * error: those belong to the form as a whole.
 */
export function fieldRefusal<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): { field: Field; message: string } | null {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 409)) return null;
  const { message, refusal } = error;
  const field = fields.find((one) => one === refusal?.field);
  return refusal === null || field === undefined
    ? null
    : { field, message: errorInLanguage(message, refusal, { isAtField: true }) };
}
