import { lazy } from 'react';
import { loadCode } from '../../lib/load-code.ts';

/** {@link GridCanvas} with the chart library, which comes when the first chart is shown. */
export const LazyGridCanvas = lazy(loadCode(async () => ({ default: (await import('./GridCanvas.tsx')).GridCanvas })));
