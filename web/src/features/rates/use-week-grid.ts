import { useEffect, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { isPaintedWith, type Band } from './bands.ts';
import { slotsPerDay, type CellRange } from '../../entities/week-windows.ts';

export interface Cell {
  day: number;
  slot: number;
}

/** From the start of the selection to its current end. */
export interface CellSelection {
  anchor: Cell;
  end: Cell;
}

interface WeekGridOptions {
  bands: readonly Band[];
  brush: string | null;
  onBrush: (key: string | null) => void;
  onPaint: (key: string | null, cells: CellRange) => void;
}

export const cellRange = ({ anchor, end }: CellSelection): CellRange => ({
  firstDay: Math.min(anchor.day, end.day),
  lastDay: Math.max(anchor.day, end.day),
  firstSlot: Math.min(anchor.slot, end.slot),
  lastSlot: Math.max(anchor.slot, end.slot),
});

const clamp = (value: number, max: number) => Math.min(max, Math.max(0, value));
const moved = ({ day, slot }: Cell, days: number, slots: number): Cell => ({
  day: clamp(day + days, 6),
  slot: clamp(slot + slots, slotsPerDay - 1),
});
const pageSlots = 6;

/** The cell to which a key leads, as in a grid of the ARIA practices. Null for any other key. */
function target(key: string, isControl: boolean, from: Cell): Cell | null {
  switch (key) {
    case 'ArrowUp':
      return moved(from, 0, -1);
    case 'ArrowDown':
      return moved(from, 0, 1);
    case 'ArrowLeft':
      return moved(from, -1, 0);
    case 'ArrowRight':
      return moved(from, 1, 0);
    case 'PageUp':
      return moved(from, 0, -pageSlots);
    case 'PageDown':
      return moved(from, 0, pageSlots);
    case 'Home':
      return { day: 0, slot: isControl ? 0 : from.slot };
    case 'End':
      return { day: 6, slot: isControl ? slotsPerDay - 1 : from.slot };
    default:
      return null;
  }
}

const cellNode = (grid: Element, { day, slot }: Cell): HTMLElement | null =>
  grid.querySelector<HTMLElement>(`[data-day="${day}"][data-slot="${slot}"]`);

/** The cell under the pointer, or the nearest one. */
function cellAt({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Cell | null {
  const first = cellNode(currentTarget, { day: 0, slot: 0 })?.getBoundingClientRect();
  const last = cellNode(currentTarget, { day: 6, slot: slotsPerDay - 1 })?.getBoundingClientRect();
  if (first === undefined || last === undefined) return null;
  const day = Math.floor(((clientX - first.left) / (last.right - first.left)) * 7);
  const slot = Math.floor(((clientY - first.top) / (last.bottom - first.top)) * slotsPerDay);
  return { day: clamp(day, 6), slot: clamp(slot, slotsPerDay - 1) };
}

/** Pointer and keys in the week grid. They select cells and paint them. Painting the same cells again clears them. */
export function useWeekGrid({ bands, brush, onBrush, onPaint }: WeekGridOptions) {
  const [focus, setFocus] = useState<Cell>({ day: 0, slot: 12 });
  const [selection, setSelection] = useState<CellSelection | null>(null);
  const [drag, setDrag] = useState<{ pointerId: number; isErasing: boolean } | null>(null);

  const isPainted = (cells: CellRange) => brush !== null && isPaintedWith(bands, brush, cells);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || drag !== null) return;
    if (!(event.target instanceof Element) || event.target.closest('[role="gridcell"]') === null) return;
    const cell = cellAt(event);
    if (cell === null) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const start = { anchor: cell, end: cell };
    setDrag({ pointerId: event.pointerId, isErasing: isPainted(cellRange(start)) });
    setSelection(start);
    setFocus(cell);
    cellNode(event.currentTarget, cell)?.focus({ preventScroll: true });
  };

  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (drag?.pointerId !== event.pointerId || selection === null) return;
    const end = cellAt(event);
    if (end === null || (end.day === selection.end.day && end.slot === selection.end.slot)) return;
    setSelection({ ...selection, end });
  };

  const stop = () => {
    setDrag(null);
    setSelection(null);
  };

  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    if (drag?.pointerId !== event.pointerId || selection === null) return;
    // The selection of the last movement may not have been rendered yet.
    const end = cellAt(event) ?? selection.end;
    onPaint(drag.isErasing ? null : brush, cellRange({ ...selection, end }));
    setFocus(end);
    stop();
  };

  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return;
    const cancel = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setDrag(null);
      setSelection(null);
    };
    document.addEventListener('keydown', cancel);
    return () => document.removeEventListener('keydown', cancel);
  }, [isDragging]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (isDragging || event.altKey || event.metaKey) return;
    const next = target(event.key, event.ctrlKey, focus);
    if (next !== null) {
      event.preventDefault();
      setSelection(event.shiftKey ? { anchor: selection?.anchor ?? focus, end: next } : null);
      setFocus(next);
      cellNode(event.currentTarget, next)?.focus();
      return;
    }
    const cells = cellRange(selection ?? { anchor: focus, end: focus });
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      onPaint(isPainted(cells) ? null : brush, cells);
      setSelection(null);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      onPaint(null, cells);
      setSelection(null);
    } else if (event.key === 'Escape' && selection !== null) {
      event.stopPropagation();
      setSelection(null);
    } else if (/^\d$/.test(event.key) && !event.ctrlKey) {
      const chosen = bands[Number(event.key) - 1];
      if (event.key === '0') onBrush(null);
      else if (chosen !== undefined) onBrush(chosen.key);
    }
  };

  return {
    focus,
    selection,
    isErasing: drag?.isErasing ?? (selection !== null && isPainted(cellRange(selection))),
    onPointerDown,
    onPointerMove,
    onPointerUp,
    onPointerCancel: stop,
    onKeyDown,
  };
}
