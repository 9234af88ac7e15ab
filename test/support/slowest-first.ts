import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest begins first: whichever of these began last would run alone at the end. */
const slowest = [
  'integration/chaos',
  'integration/oracles',
  'e2e/every-page',
  'e2e/newcomer',
  'e2e/export',
  'e2e/calendar-ranges',
  'e2e/rates',
  'e2e/hostile-links',
  'e2e/dashboard',
  'e2e/device',
  'e2e/fleet',
  'e2e/fleet-dashboard',
  'e2e/two-people',
  'integration/restore',
  'integration/backup',
  'integration/demo-fleet',
  'integration/startup',
  'integration/local-database',
  'integration/energy-gaps',
  'integration/export-streams',
  'integration/ranges',
  'timescale/conversion',
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
