import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files of a project begin first: if one of them began last, it would run alone at the end. */
const slowest = [
  'scripts/bootstrap',
  'e2e/every-page',
  'e2e/dashboard-tool',
  'e2e/export',
  'e2e/fleet-dashboard',
  'e2e/rates',
  'e2e/dashboard-filter',
  'e2e/newcomer',
  'e2e/two-people',
  'e2e/calendar-ranges',
  'e2e/embedded-dashboards',
  'e2e/dashboard',
  'e2e/on-paper',
  'e2e/fleet',
  'e2e/hostile-links',
  'e2e/fleet-push',
  'e2e/device',
  'e2e/import-table',
  'e2e/incoming',
  'e2e/history-file',
  'e2e/try-on-load',
  'integration/every-get',
  'integration/roles',
  'integration/oracles',
  'integration/chaos',
  'integration/message-kills',
  'integration/local-database',
  'integration/startup',
  'timescale/conversion',
  'integration/export-streams',
  'integration/restore',
  'integration/energy-gaps',
  'integration/demo-fleet',
  'integration/executable',
  'integration/local-commands',
  'integration/lost-connections',
  'integration/shutdown',
  'integration/energy-sums',
  'integration/push-reconciliation',
  'integration/backup',
  'integration/several-portals',
  'integration/dashboard-tool-data',
  'integration/demo',
  'integration/push',
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
    // A process runs files of one project; a file of another project would end it. The project of the stacks has one file, the
    // slowest.
    const turn = ({ project }: TestSpecification) => (project.name === 'stack' ? '' : project.name);
    const byProject = (a: TestSpecification, b: TestSpecification) => turn(a).localeCompare(turn(b));
    return sorted.toSorted((a, b) => group(a) - group(b) || byProject(a, b) || rank(a) - rank(b));
  }
}
