import { describe, expect, it } from 'vitest';
import { fieldRefusal } from './field-refusal.ts';
import { ApiError } from './http.ts';

const fields = ['name', 'externalId'] as const;

describe('a refusal of the portal', () => {
  it('stands at the field that its sentence names', () => {
    const error = new ApiError(409, 'externalId: "m1" belongs to the device "Main"; each device needs its own.', null);
    expect(fieldRefusal(error, fields)).toEqual({
      field: 'externalId',
      message: '"m1" belongs to the device "Main"; each device needs its own.',
    });
  });

  it('begins with a capital there', () => {
    const error = new ApiError(400, 'name: must not be empty; got "".', null);
    expect(fieldRefusal(error, fields)?.message).toBe('Must not be empty; got "".');
  });

  it.each([
    ['names no field of the form', new ApiError(409, 'The site has 2 devices; move or delete them first.', null)],
    ['only happens to begin like one', new ApiError(400, 'names must be unique.', null)],
    ['is no refusal', new ApiError(500, 'name: went wrong.', null)],
    ['came from elsewhere', new Error('name: went wrong')],
  ])('belongs to the whole form where it %s', (_case, error) => {
    expect(fieldRefusal(error, fields)).toBeNull();
  });
});
