import { inLanguage } from './i18n/sentences.ts';
import { ApiError } from './http.ts';

/**
 * The sentence of a 400 or 409 that begins with the name of a field (`externalId: … belongs to …`), without that name, so
 * that it can stand at the field. Null for every other error: those belong to the form as a whole.
 */
export function fieldRefusal<Field extends string>(
  error: unknown,
  fields: readonly Field[],
): { field: Field; message: string } | null {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 409)) return null;
  for (const field of fields) {
    if (!error.message.startsWith(`${field}: `)) continue;
    const rest = inLanguage(error.message.slice(field.length + 2));
    return { field, message: rest.slice(0, 1).toUpperCase() + rest.slice(1) };
  }
  return null;
}
