import type { EChartsType } from 'echarts/core';
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import type { TimeRange } from '../../lib/time-range.ts';
import type { TimeChartCanvasProps } from './time-chart-props.ts';
import { panBy, zoomBy } from './zoom-window.ts';

interface Keyboard extends Pick<TimeChartCanvasProps, 'range' | 'onZoom' | 'step' | 'readOut'> {
  container: RefObject<HTMLElement | null>;
  visible: TimeRange;
  chart: RefObject<EChartsType | null>;
}

const zoomStep = 0.6;
const wideStep = 10;

/** Arrow keys walk from bucket to bucket and read it out, plus and minus zoom, Escape shows all again. Answers what is read out. */
export function useChartKeyboard({ container, range, visible, onZoom, step, readOut, chart }: Keyboard) {
  const [atMs, setAtMs] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');

  const walk = (to: number | null) => {
    if (to === null) return;
    setAtMs(to);
    setAnnouncement(readOut(to));
    if (to < visible.fromMs) onZoom(panBy(visible, to - visible.fromMs - (visible.toMs - visible.fromMs) / 2, range));
    if (to > visible.toMs) onZoom(panBy(visible, to - visible.toMs + (visible.toMs - visible.fromMs) / 2, range));
    // After the canvas has moved, where it has to.
    requestAnimationFrame(() => {
      const x = chart.current?.convertToPixel({ xAxisIndex: 0 }, to);
      if (typeof x === 'number') chart.current?.dispatchAction({ type: 'showTip', x, y: 60 });
    });
  };

  const hide = useEffectEvent(() => {
    setAtMs(null);
    setAnnouncement('');
    chart.current?.dispatchAction({ type: 'hideTip' });
    chart.current?.dispatchAction({ type: 'updateAxisPointer', currTrigger: 'leave' });
  });

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isInView = atMs !== null && atMs >= visible.fromMs && atMs <= visible.toMs;
    const from = isInView ? atMs : event.key === 'ArrowLeft' ? visible.toMs : visible.fromMs;
    const anchor = isInView ? atMs : (visible.fromMs + visible.toMs) / 2;
    const by = event.shiftKey ? wideStep : 1;
    const actions: Record<string, () => void> = {
      ArrowRight: () => walk(step(from, isInView ? by : 0)),
      ArrowLeft: () => walk(step(from, isInView ? -by : 0)),
      Home: () => walk(step(visible.fromMs, 0)),
      End: () => walk(step(visible.toMs, 0)),
      '+': () => onZoom(zoomBy(visible, zoomStep, anchor, range)),
      '=': () => onZoom(zoomBy(visible, zoomStep, anchor, range)),
      '-': () => onZoom(zoomBy(visible, 1 / zoomStep, anchor, range)),
      Escape: () => (atMs === null ? onZoom(null) : hide()),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  });

  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('keydown', (event) => onKeyDown(event), { signal });
    element.addEventListener('blur', () => hide(), { signal });
    return () => listening.abort();
  }, [container]);

  return announcement;
}
