/**
 * Scrolling through more rows than an element can be high. Browsers fail between 17 and 33 million pixels. Beyond {@link
 * tallestPx} the element keeps that height, and its scroll position differs from the place in the list: small steps move the list
 * by as much as the element, large jumps move it in proportion.
 */
export const tallestPx = 4_000_000;
/** This near to either end, element and list move equally, px. */
const exactPx = 100_000;

export interface Geometry {
  rowCount: number;
  rowHeight: number;
  /** Visible height of the rows, px. */
  viewHeight: number;
}

export interface ScrollPlace {
  /** `scrollTop` of the element. */
  top: number;
  /** Place in the list, px from its first row. */
  offset: number;
}

export const listHeight = ({ rowCount, rowHeight }: Geometry): number => rowCount * rowHeight;

/** Height of the element that represents the list. */
export const scrollHeight = (geometry: Geometry): number => Math.min(listHeight(geometry), tallestPx);

const lastOffset = (geometry: Geometry): number => Math.max(0, listHeight(geometry) - geometry.viewHeight);
const lastTop = (geometry: Geometry): number => Math.max(0, scrollHeight(geometry) - geometry.viewHeight);
const isScaled = (geometry: Geometry): boolean => listHeight(geometry) > tallestPx;
const within = (value: number, max: number): number => Math.min(Math.max(value, 0), max);

/** The element's position for a place in the list. */
function topOf(offset: number, geometry: Geometry): number {
  return Math.round(between(offset, lastOffset(geometry), lastTop(geometry)));
}

/** The place in the list for a position of the element. */
function offsetOf(top: number, geometry: Geometry): number {
  return between(top, lastTop(geometry), lastOffset(geometry));
}

/** From one scale to the other; equal near both ends, so that each row there can be reached by small steps. */
function between(value: number, last: number, otherLast: number): number {
  if (last === otherLast || value <= exactPx) return value;
  if (value >= last - exactPx) return otherLast - (last - value);
  return exactPx + ((value - exactPx) * (otherLast - 2 * exactPx)) / (last - 2 * exactPx);
}

/** The place with `offset` at the top, or the nearest possible one. */
export function placeAt(offset: number, geometry: Geometry): ScrollPlace {
  const reached = within(offset, lastOffset(geometry));
  return { top: topOf(reached, geometry), offset: reached };
}

/** The place in the list after the reader has scrolled the element to `top`. */
export function scrolledTo(top: number, before: ScrollPlace, geometry: Geometry): ScrollPlace {
  const reachedTop = within(top, lastTop(geometry));
  if (!isScaled(geometry)) return { top: reachedTop, offset: reachedTop };
  const moved = reachedTop - before.top;
  if (Math.abs(moved) > geometry.viewHeight) return { top: reachedTop, offset: offsetOf(reachedTop, geometry) };
  const offset = within(before.offset + moved, lastOffset(geometry));
  // One of them is at its end: align them, so that the other neither stops early nor continues.
  const isAtEnd =
    reachedTop === 0 || reachedTop === lastTop(geometry) || offset === 0 || offset === lastOffset(geometry);
  return isAtEnd ? placeAt(offset, geometry) : { top: reachedTop, offset };
}

/** The place itself, or the nearest one in a list that has become shorter or a view that has changed. */
export function fitted(place: ScrollPlace, geometry: Geometry): ScrollPlace {
  const isThere = place.offset <= lastOffset(geometry) && place.top <= lastTop(geometry);
  return isThere && (isScaled(geometry) || place.top === place.offset) ? place : placeAt(place.offset, geometry);
}

/** First and last row (exclusive) to render, with `overscan` more on each side. */
export function visibleRows(
  { offset }: ScrollPlace,
  geometry: Geometry,
  overscan: number,
): { start: number; end: number } {
  const { rowCount, rowHeight, viewHeight } = geometry;
  return {
    start: Math.max(0, Math.floor(offset / rowHeight) - overscan),
    end: Math.min(rowCount, Math.ceil((offset + viewHeight) / rowHeight) + overscan),
  };
}
