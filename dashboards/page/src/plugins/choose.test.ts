import { describe, expect, it } from 'vitest';
import { chosenThings, chosenValues, initialQuery, variablesIn } from './choose.ts';

const state = (value: string | string[] | null) => ({ value, loading: false });

describe('what a question asks about', () => {
  it.each([
    ['nothing is named: all', undefined, {}, []],
    ['ids stay what they are', ['a', 'b', 'a'], {}, ['a', 'b']],
    ['a variable stands for what is chosen in it', ['$site', 'c'], { site: state(['a', 'b']) }, ['a', 'b', 'c']],
    ['braces mean the same', ['${site}'], { site: state('a') }, ['a']],
    ['all are chosen', ['$site'], { site: state('*') }, []],
    ['nothing is chosen: all', ['$site'], { site: state([]) }, []],
    ['the variable has no value yet: all', ['$site'], { site: state(null) }, []],
    ['the dashboard has no such variable: all', ['$gone'], {}, []],
  ])('%s', (_, list, variables, expected) => {
    expect(chosenValues(list, variables)).toEqual(expected);
  });

  it('depends on the variables that it uses', () => {
    expect(variablesIn([['$site', 'a'], undefined, '$currency', ['${site}']])).toEqual(['site', 'currency']);
  });

  it('has a list for each kind of thing', () => {
    expect(chosenThings({ sites: ['$site'] }, { site: state('a') })).toEqual({
      sites: ['a'],
      devices: [],
      customers: [],
    });
  });
});

describe('a new panel asks for what its kind shows', () => {
  it.each([
    ['TimeSeriesChart', 'power', 'site', 'customer'],
    ['StatChart', 'energy', 'none', 'none'],
    ['GaugeChart', 'powerFactor', 'none', 'none'],
    ['BarChart', 'energy', 'site', 'customer'],
    ['Table', 'energy', 'site', 'customer'],
  ])('%s', (kind, measure, split, splitOfFleet) => {
    expect(initialQuery(kind, false)).toEqual({ measure, split, sites: ['$site'] });
    expect(initialQuery(kind, true)).toEqual({
      measure,
      split: splitOfFleet,
      customers: ['$customer'],
      sites: ['$site'],
    });
  });
});
