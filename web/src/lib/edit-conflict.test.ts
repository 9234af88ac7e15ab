import { expect, test, vi } from 'vitest';
import { currentConflict, type Decision, saveOver, TheirsKept } from './edit-conflict.ts';
import { ApiError } from './http.ts';

const stale = () => new ApiError(412, 'changed', null);

/** A portal that stores one name, and another person who has just changed it to `Theirs`. */
function portal() {
  let stored = 'Theirs';
  const sent: (string | undefined)[] = [];
  const write = async (ifMatch: string | undefined) => {
    sent.push(ifMatch);
    if (ifMatch !== undefined && ifMatch !== `"${stored}"`) throw stale();
    stored = 'Mine';
    return stored;
  };
  const save = (seen: string | null = 'Seen') =>
    saveOver({
      seen,
      versionOf: (name) => name,
      write,
      read: async () => stored,
      describe: (theirs) => [
        { label: 'Name', mine: 'Mine', theirs },
        { label: 'Zone', mine: 'UTC', theirs: 'UTC' },
      ],
    });
  return { save, sent, now: () => stored, change: (name: string) => (stored = name) };
}
const refusalOf = (saving: Promise<unknown>) =>
  saving.then(
    () => null,
    (error: unknown) => error,
  );
const decide = async (decision: Decision) => {
  await vi.waitFor(() => expect(currentConflict()).not.toBeNull());
  currentConflict()?.decide(decision);
};

test('without changes by others, a record is saved without a question, and so is a new one', async () => {
  const { save, sent, change } = portal();
  change('Seen');
  expect(await save()).toBe('Mine');
  expect(await save(null)).toBe('Mine');
  expect(sent).toEqual(['"Seen"', undefined]);
  expect(currentConflict()).toBeNull();
});

test('both versions are shown in the fields that differ; "mine" saves over theirs', async () => {
  const { save, now } = portal();
  const saving = save();
  await vi.waitFor(() => expect(currentConflict()).not.toBeNull());
  expect(currentConflict()?.differences).toEqual([{ label: 'Name', mine: 'Mine', theirs: 'Theirs' }]);
  await decide('mine');
  expect(await saving).toBe('Mine');
  expect(now()).toBe('Mine');
  expect(currentConflict()).toBeNull();
});

test('"theirs" writes nothing', async () => {
  const { save, now } = portal();
  const saving = refusalOf(save());
  await decide('theirs');
  expect(await saving).toBeInstanceOf(TheirsKept);
  expect(now()).toBe('Theirs');
});

test('without a decision the error is thrown, and the next try asks again', async () => {
  const { save, now } = portal();
  for (let n = 0; n < 2; n += 1) {
    const saving = refusalOf(save());
    await decide('neither');
    expect(await saving).toBeInstanceOf(ApiError);
  }
  expect(now()).toBe('Theirs');
});

test('a third version that arrives during the decision is asked about as well', async () => {
  const { save, change } = portal();
  const saving = save();
  await vi.waitFor(() => expect(currentConflict()).not.toBeNull());
  change('Third');
  await decide('mine');
  await vi.waitFor(() => expect(currentConflict()?.differences[0]?.theirs).toBe('Third'));
  await decide('mine');
  expect(await saving).toBe('Mine');
});
