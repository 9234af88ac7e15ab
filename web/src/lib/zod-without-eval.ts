import { z } from 'zod';

// The CSP forbids eval. Zod probes for it when the first schema is made, so this module comes before all others.
z.config({ jitless: true });
