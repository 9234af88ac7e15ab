import { errorInLanguage } from './i18n/error-texts.ts';
import { ApiError } from './http.ts';

/**
 * The text of a 400 or 409 about one of the fields, without the name of the field, so that it can stand at the field. Null for every
 * other error: those belong to the form as a whole.
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
