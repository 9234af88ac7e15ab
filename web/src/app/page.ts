import { lazyRouteComponent } from '@tanstack/react-router';
import { loadCode } from '../lib/load-code.ts';

/** A page whose code is loaded when it is first opened. */
export const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(loadCode(load), name);
