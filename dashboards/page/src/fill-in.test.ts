import { expect, test } from 'vitest';
import { fillIn } from './fill-in.ts';
import { de } from './languages/de.ts';
import { fr } from './languages/fr.ts';

test('Titles of the editor read as a sentence does: the verb stands where the language has it', () => {
  const title = ({ perses }: Pick<typeof de, 'perses'>) => fillIn(perses['{0} Panel'], [perses.Edit]);
  expect([title(de), title(fr)]).toEqual(['Kachel bearbeiten', 'Modifier le panneau']);
  expect(fillIn('{0} of {1}', [1, { icon: true }])).toEqual([1, ' of ', { icon: true }]);
});
