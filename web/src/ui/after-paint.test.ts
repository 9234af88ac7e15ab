import { afterEach, expect, test, vi } from 'vitest';
import { afterPaint } from './after-paint.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('slow work begins neither before the next frame nor within it', () => {
  vi.useFakeTimers();
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  const run = vi.fn<() => void>();
  afterPaint(run);
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
  frames.pop()?.();
  expect(run).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledOnce();
});
