import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';

type Load = () => Promise<() => string>;

vi.mock('../../lib/load-code.ts', () => ({ loadCode: (load: unknown) => load }));
// Another test file of this process may have loaded it without the mock.
vi.resetModules();
const { lazily } = await import('./panels-code.ts');

test('what is loaded is drawn at once, and asked for once', async () => {
  const load = vi.fn<Load>(async () => () => 'there');
  const { load: ahead, Component } = lazily(load);
  await Promise.all([ahead(), ahead()]);
  expect(renderToString(createElement(Component))).toBe('there');
  expect(load).toHaveBeenCalledTimes(1);
});

test('code that does not come ahead is asked for again, and is then drawn', async () => {
  const load = vi.fn<Load>(async () => () => 'there');
  load.mockRejectedValueOnce(new Error('offline'));
  const { load: ahead, Component } = lazily(load);
  await expect(ahead()).rejects.toThrow('offline');
  await ahead();
  expect(renderToString(createElement(Component))).toBe('there');
});

test('code that does not come while it is drawn is a failure that is told, not asked for without end', async () => {
  const load = vi.fn<Load>(async () => {
    throw new Error('offline');
  });
  const { Component } = lazily(load);
  for (let drawing = 0; drawing < 3; drawing += 1) {
    expect(() => renderToString(createElement(Component))).toThrow(/suspended|offline/);
    await Promise.resolve();
  }
  expect(load).toHaveBeenCalledTimes(1);
});
