import { z } from 'zod';

// The CSP forbids eval. Zod probes for it when the first schema is created, so import this module before all others.
z.config({ jitless: true });
