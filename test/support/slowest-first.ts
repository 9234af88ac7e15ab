import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest of a project begins first: whichever of these began last would run alone at the end. */
const slowest = [
  'scripts/bootstrap',
  'e2e/every-page',
  'e2e/export',
  'e2e/newcomer',
  'e2e/hostile-links',
  'e2e/rates',
  'e2e/calendar-ranges',
  'e2e/fleet',
  'e2e/fleet-dashboard',
  'e2e/dashboard',
  'e2e/two-people',
  'e2e/behind-caddy',
  'e2e/device',
  'e2e/fleet-push',
  'integration/oracles',
  'timescale/conversion',
  'integration/executable',
  'integration/chaos',
  'integration/demo-fleet',
  'integration/fleet-sets',
  'integration/local-database',
  'integration/startup',
  'integration/restore',
  'integration/backup',
  'integration/export-streams',
  'integration/energy-gaps',
  'integration/demo',
  'integration/ranges',
  'integration/energy-sums',
  'integration/lockout',
  'integration/shutdown',
];

export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = slowest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at === -1 ? slowest.length : at;
    };
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    // oxlint-disable-next-line unicorn/no-array-sort -- the sort of Vitest changes nothing
    const sorted = await super.sort(files);
    // A process runs the files of one project: one of another in between would end it.
    const byProject = (a: TestSpecification, b: TestSpecification) => a.project.name.localeCompare(b.project.name);
    return sorted.toSorted((a, b) => group(a) - group(b) || byProject(a, b) || rank(a) - rank(b));
  }
}
