import { describe, expect, test } from 'vitest';
import { chosenOf, frameUrl, menuOf } from './menu.ts';

const dashboard = (id: string, path: string) => ({ id, title: `Title ${id}`, description: '', path, sortOrder: 0 });
const menu = menuOf(
  [
    dashboard('1', '/dash/dashboards/overview'),
    dashboard('2', '/dash/dashboards/overview'),
    dashboard('3', '/dash/dashboards/overview?var-site=x'),
    dashboard('4', '/dash/d/abc'),
  ],
  '/dash',
);

describe('the menu of the embedded dashboards', () => {
  test('names each by its name in the tool, where that is plain and its own, else by its id', () => {
    expect(menu.map(({ key }) => key)).toEqual(['overview', '2', '3', '4']);
  });

  test('an address shows what it names, also what is not in the menu', () => {
    expect(chosenOf(menu, '4', '/dash').path).toBe('/dash/d/abc');
    expect(chosenOf(menu, 'mine', '/dash').path).toBe('/dash/dashboards/mine');
    expect(chosenOf(menu, '_new', '/dash')).toMatchObject({ title: '', path: '/dash/new' });
    expect(chosenOf(menu, '../x', '/dash').path).toBe('/dash/dashboards/overview');
  });

  test('without a name it is the first, and the start of the tool where there is none', () => {
    expect(chosenOf(menu, undefined, '/dash').title).toBe('Title 1');
    expect(chosenOf([], undefined, '/dash').path).toBe('/dash/');
  });

  test('the frame is told light or dark', () => {
    expect(frameUrl('/dash/d/abc', 'dark')).toBe('/dash/d/abc?theme=dark');
    expect(frameUrl('/dash/d/abc?x=1', 'light')).toBe('/dash/d/abc?x=1&theme=light');
  });
});
