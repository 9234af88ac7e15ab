import type { ReportDocument } from './document.ts';
import type { FontFile } from './typeface.ts';

/** The size of a chart, in px. */
export const chartSize = { width: 680, height: 220 } as const;
/** The colors of the page in its light scheme. */
export const chartInk = {
  text: '#212529',
  dimmed: '#5c636a',
  line: '#dee2e6',
  axis: '#adb5bd',
  surface: '#ffffff',
} as const;

/** The first message to the thread. */
export interface RenderFiles {
  fonts: readonly FontFile[];
  wasm: Uint8Array<ArrayBuffer>;
}

export interface RenderJob {
  document: ReportDocument;
  /** The colors of the band at the top. */
  colors: { ground: string; ink: string };
}
export type ToRenderThread = { files: RenderFiles } | { job: RenderJob };
export type FromRenderThread = Rendered | { failure: string };

export interface Rendered {
  pdf: Uint8Array;
  /** The charts as PNG, in the order of their sections. */
  pictures: Uint8Array[];
}
