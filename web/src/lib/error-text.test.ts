import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldRefusal } from './error-text.ts';
import { ApiError } from './http.ts';
import { loadErrorTexts } from './i18n/error-texts.ts';

const fields = ['name', 'externalId'] as const;
const taken = new ApiError(409, 'externalId: External ID "m1" is already used by another device.', null, {
  code: 'externalIdTaken',
  params: { externalId: 'm1', owner: { code: 'anotherDevice', params: {} } },
  field: 'externalId',
});
const empty = { code: 'mustNotBeEmpty', params: { got: '""' }, field: 'name' };

describe('an error of the portal', () => {
  it('is shown at its field, without the name of the field', () => {
    expect(fieldRefusal(taken, fields)).toEqual({
      field: 'externalId',
      message: 'External ID "m1" is already used by another device.',
    });
  });

  it('begins with a capital letter there', () => {
    const error = new ApiError(400, 'name: must not be empty; got "".', null, empty);
    expect(fieldRefusal(error, fields)?.message).toBe('Must not be empty; got "".');
  });

  it.each([
    [
      'is about no field of the form',
      new ApiError(409, 'The site has 2 devices.', null, { code: 'stillUsed', params: {} }),
    ],
    ['has no code, though it begins like one', new ApiError(400, 'name: must be unique.', null)],
    ['is no refusal', new ApiError(500, 'name: went wrong.', null, empty)],
    ['came from elsewhere', new Error('name: went wrong')],
  ])('belongs to the whole form if it %s', (_case, error) => {
    expect(fieldRefusal(error, fields)).toBeNull();
  });

  describe('in German', () => {
    beforeAll(() => loadErrorTexts('de'));
    afterAll(() => loadErrorTexts('en'));

    it('is worded from its code', () => {
      expect(fieldRefusal(taken, fields)?.message).toBe(
        '„m1“ ist schon vergeben; jedes Gerät braucht eine eigene Kennung.',
      );
      const error = new ApiError(400, 'name: must not be empty; got "".', null, empty);
      expect(fieldRefusal(error, fields)?.message).toBe('Darf nicht leer sein; erhalten: "".');
    });
  });
});
