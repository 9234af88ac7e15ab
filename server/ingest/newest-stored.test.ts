import { describe, expect, it } from 'vitest';
import { NewestOfFleet, NewestStored } from './newest-stored.rules.ts';

const [device, other] = [7, 8];

/** Stores readings of a device up to an instant. */
function store(newest: NewestStored, deviceNumber: number, micros: number, isNew: boolean) {
  const claim = newest.claim(deviceNumber, micros);
  newest.learn(claim === undefined ? [] : [claim], () => isNew);
}

describe('which readings are taken to be new', () => {
  it('none of a device of which nothing was stored yet, or whose newest one was known', () => {
    const newest = new NewestStored();
    expect(newest.newOnesAfter(device)).toBe(Infinity);
    store(newest, device, 5, false);
    expect(newest.newOnesAfter(device)).toBe(Infinity);
  });

  it('those above the newest that was stored; late ones change nothing', () => {
    const newest = new NewestStored();
    store(newest, device, 5, true);
    store(newest, device, 9, true);
    store(newest, device, 3, false);
    expect(newest.newOnesAfter(device)).toBe(9);
  });

  it('not those that somebody else is about to store', () => {
    const newest = new NewestStored();
    store(newest, device, 5, true);
    newest.claim(device, 9);
    expect(newest.newOnesAfter(device)).toBe(9);
  });

  it('none at all behind a wrong guess, until one would have been right', () => {
    const newest = new NewestStored();
    store(newest, device, 5, true);
    store(newest, other, 5, true);
    store(newest, device, 9, false);
    expect(newest.newOnesAfter(other)).toBe(Infinity);
    store(newest, other, 6, true);
    expect([newest.newOnesAfter(other), newest.newOnesAfter(device)]).toEqual([6, Infinity]);
  });
});

describe('the same for a fleet', () => {
  const learn = (newest: NewestOfFleet, customerId: string, micros: number, isNew: boolean, number = device) => {
    const claim = newest.of(customerId).claim(number, micros);
    newest.learn(customerId, claim === undefined ? [] : [claim], () => isNew);
  };

  it('a wrong guess about one customer puts no other in doubt', () => {
    const newest = new NewestOfFleet(10);
    for (const customer of ['a', 'b']) learn(newest, customer, 5, true);
    learn(newest, 'a', 9, false);
    expect([newest.of('a').newOnesAfter(device), newest.of('b').newOnesAfter(device)]).toEqual([Infinity, 5]);
  });

  it('beyond so many devices those who have not sent for longest are forgotten, never who sends', () => {
    const newest = new NewestOfFleet(2);
    for (const customer of ['a', 'b', 'a', 'c']) learn(newest, customer, 5, true);
    const known = ['a', 'b', 'c'].map((customer) => newest.of(customer).newOnesAfter(device));
    expect(known).toEqual([5, Infinity, 5]);
    for (const number of [1, 2, 3, 4]) learn(newest, 'd', 5, true, number);
    expect(newest.of('d').size).toBe(4);
    expect(newest.of('a').size).toBe(0);
  });
});
