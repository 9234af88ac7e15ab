import { expect, it } from 'vitest';
import { shortcutOf, type Circumstances } from './shortcuts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const calm: Circumstances = { isMac: false, isTyping: false, hasSingleKeys: true, isSecond: false };
const palette = { opens: 'palette' };
const shortcuts = { opens: 'shortcuts' };

it.each([
  ['Ctrl K opens the palette', { key: 'k', ctrlKey: true }, {}, palette],
  ['… also with the lock of capitals', { key: 'K', ctrlKey: true }, {}, palette],
  ['… and while one types', { key: 'k', ctrlKey: true }, { isTyping: true }, palette],
  ['… and where single keys are not wanted', { key: 'k', ctrlKey: true }, { hasSingleKeys: false }, palette],
  ['on a Mac it is ⌘ K', { key: 'k', metaKey: true }, { isMac: true }, palette],
  ['on a Mac Ctrl K stays what it is', { key: 'k', ctrlKey: true }, { isMac: true }, null],
  ['Ctrl Shift K is the browser’s', { key: 'K', ctrlKey: true, shiftKey: true }, {}, null],
  ['AltGr, which is Ctrl and Alt, types', { key: 'k', ctrlKey: true, altKey: true }, {}, null],
  ['? lists the shortcuts', { key: '?', shiftKey: true }, {}, shortcuts],
  ['? in a text is a question mark', { key: '?', shiftKey: true }, { isTyping: true }, null],
  ['? does nothing where single keys are not wanted', { key: '?', shiftKey: true }, { hasSingleKeys: false }, null],
  ['G begins the way to a page', { key: 'g' }, {}, 'goTo'],
  ['the key after G names the page', { key: 'd' }, { isSecond: true }, { goesTo: 'd' }],
  ['a letter alone is nothing', { key: 'd' }, {}, null],
  ['a letter in a text is nothing', { key: 'd' }, { isSecond: true, isTyping: true }, null],
  ['Ctrl G is the browser’s', { key: 'g', ctrlKey: true }, {}, null],
])('%s', (_, pressed, circumstances, expected) => {
  expect(shortcutOf({ ...plain, ...pressed }, { ...calm, ...circumstances })).toEqual(expected);
});
