import { describe, expect, it } from 'vitest';
import { NewestStored } from './newest-stored.rules.ts';
import type { Place } from './sorted-readings.rules.ts';

const placeOf = (number: number, customerId: string | null = null): Place => ({ customerId, number });
const [device, other] = [placeOf(7), placeOf(8)];

/** Stores readings of a device up to an instant. */
function store(newest: NewestStored, place: Place, micros: number, isNew: boolean) {
  const claim = newest.claim(place, micros);
  newest.learn(claim === undefined ? [] : [claim], () => isNew);
}

describe('which readings count as new', () => {
  it('none of a device without stored readings, or whose newest one was a duplicate', () => {
    const newest = new NewestStored(10);
    expect(newest.newOnesAfter(device)).toBe(Infinity);
    store(newest, device, 5, false);
    expect(newest.newOnesAfter(device)).toBe(Infinity);
  });

  it('those above the newest stored one; late ones change nothing', () => {
    const newest = new NewestStored(10);
    store(newest, device, 5, true);
    store(newest, device, 9, true);
    store(newest, device, 3, false);
    expect(newest.newOnesAfter(device)).toBe(9);
  });

  it('not those that another request is about to store', () => {
    const newest = new NewestStored(10);
    store(newest, device, 5, true);
    newest.claim(device, 9);
    expect(newest.newOnesAfter(device)).toBe(9);
  });

  it('none after a wrong guess, until a guess would have been right', () => {
    const newest = new NewestStored(10);
    store(newest, device, 5, true);
    store(newest, other, 5, true);
    store(newest, device, 9, false);
    expect(newest.newOnesAfter(other)).toBe(Infinity);
    store(newest, other, 6, true);
    expect([newest.newOnesAfter(other), newest.newOnesAfter(device)]).toEqual([6, Infinity]);
  });
});

describe('the same for the customers of a fleet', () => {
  it('a wrong guess about one customer casts doubt on no other', () => {
    const newest = new NewestStored(10);
    for (const customer of ['a', 'b']) store(newest, placeOf(7, customer), 5, true);
    store(newest, placeOf(7, 'a'), 9, false);
    expect([newest.newOnesAfter(placeOf(7, 'a')), newest.newOnesAfter(placeOf(7, 'b'))]).toEqual([Infinity, 5]);
  });

  it('above the limit, the devices that have not sent for longest are forgotten', () => {
    const newest = new NewestStored(2);
    for (const [at, customer] of ['a', 'b', 'a', 'c'].entries()) store(newest, placeOf(7, customer), at, true);
    const knownOf = (customer: string, number = 7) => newest.newOnesAfter(placeOf(number, customer));
    expect(['a', 'b', 'c'].map((customer) => knownOf(customer))).toEqual([2, Infinity, 3]);
    for (const number of [1, 2, 3, 4]) store(newest, placeOf(number, 'd'), 5, true);
    expect([1, 2, 3, 4].map((number) => knownOf('d', number))).toEqual([5, 5, 5, 5]);
    expect([knownOf('a'), knownOf('c')]).toEqual([Infinity, Infinity]);
  });
});
