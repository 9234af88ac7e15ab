import type { TestProject } from 'vitest/node';
import { startCluster } from './postgres-cluster.ts';

/** The cluster of the second half of the integration tests. */
export default (project: TestProject): Promise<() => Promise<void>> => startCluster(project, 'timescale');
