import { z } from 'zod';

/** The response schema of a 204. */
export const noContent = z.null().describe('Done; there is no body.');
