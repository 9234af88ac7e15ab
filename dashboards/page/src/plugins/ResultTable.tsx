import { Box, Table as MuiTable, TableBody, TableCell, TableHead, TableRow, TableSortLabel } from '@mui/material';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { tableOptions, type TableOptions } from '../../../../shared/dashboard-panels.ts';
import { querySpec } from '../../../../shared/dashboard-tool.ts';
import { customerStates, deviceStates } from '../../../../shared/states.rules.ts';
import { listCustomers, listDevices, listSites } from '../api.ts';
import { format } from '../reader.ts';
import { texts } from '../texts.ts';
import { formatValue } from '../units.ts';
import { chartPanel, type DrawnProps } from './chart-panel.tsx';
import { resultRows, type Subject, subjectKey } from './result-rows.ts';

/** A row for each site, device or customer, with its state, and a column for each query. */
export const Table = chartPanel<TableOptions>({
  options: tableOptions,
  initial: { columnSettings: [] },
  mode: 'instant',
  Drawn: ResultTable,
});

/** The ids of the columns of names and of states. */
const names = -1;
const states = -2;

/** The word for a state, and its place among the states, the worst first. */
interface ShownState {
  text: string;
  order: number;
}

async function listStates(kind: Subject['kind'], customer: readonly string[]): Promise<Map<string, ShownState>> {
  if (kind === 'customer') {
    const customers = await listCustomers();
    return new Map(
      customers.map(({ id, state }) => [
        subjectKey(id, null),
        { text: texts.customerStates[state], order: customerStates.indexOf(state) },
      ]),
    );
  }
  const things = kind === 'site' ? await listSites({ customer }) : await listDevices({ site: [], customer });
  return new Map(
    things.map(({ id, customerId, state }) => [
      subjectKey(id, customerId),
      { text: texts.states[state], order: deviceStates.indexOf(state) },
    ]),
  );
}

const statesRefreshMs = 30_000;

/** The present states of the subjects of rows; undefined if they have none, or none is known yet. */
function useStates(subjects: readonly Subject[]): Map<string, ShownState> | undefined {
  const [first] = subjects;
  const customers = [...new Set(subjects.flatMap(({ customerId }) => customerId ?? []))].toSorted();
  return useQuery({
    queryKey: ['states', first?.kind, ...customers],
    queryFn: () => (first === undefined ? new Map<string, ShownState>() : listStates(first.kind, customers)),
    enabled: first !== undefined,
    refetchInterval: statesRefreshMs,
  }).data;
}

function ResultTable({ options, title, answers, questions, width, height }: DrawnProps<TableOptions>) {
  const [sorted, setSorted] = useState({ column: names, isDown: false });
  const made = useMemo(() => resultRows(answers), [answers]);
  const subjects = made.flatMap(({ subject }) => subject ?? []);
  const stateColumn = options.columnSettings.find(({ name }) => name === 'state');
  const known = useStates(stateColumn?.hide === true ? [] : subjects);
  const rows = useMemo(() => {
    const collator = new Intl.Collator(format.locale, { numeric: true });
    const { column, isDown } = sorted;
    const valueIn = ({ subject, cells }: (typeof made)[number]) =>
      column === states
        ? (known?.get(subject?.key ?? '')?.order ?? Infinity)
        : (cells[column]?.[0]?.value ?? -Infinity);
    const ordered = made.toSorted((a, b) =>
      column === names ? collator.compare(a.name, b.name) : valueIn(a) - valueIn(b),
    );
    return isDown ? ordered.toReversed() : ordered;
  }, [made, known, sorted]);
  const shown = options.columnSettings.filter(({ hide }) => hide !== true);
  const headers = [
    { key: names, header: shown.find(({ name }) => !/^(?:value|state)/.test(name))?.header ?? texts.series },
    ...(known === undefined ? [] : [{ key: states, header: stateColumn?.header ?? texts.state }]),
    ...answers.map(({ definition }, key) => {
      const { spec } = definition.spec.plugin;
      const place = questions.findIndex((question) => question.spec.plugin.spec === spec) + 1;
      const asked = querySpec.safeParse(spec).data?.measure;
      const said = shown.find(({ name }) => name === `value #${place}` || (name === 'value' && place === 1))?.header;
      return { key, header: said ?? (asked === undefined ? texts.value : texts.measures[asked]) };
    }),
  ];
  /** The columns before the values. */
  const leading = headers.length - answers.length;
  return (
    <Box tabIndex={0} sx={{ width, height, overflow: 'auto', fontVariantNumeric: 'tabular-nums' }}>
      <MuiTable size="small" stickyHeader aria-label={title}>
        <TableHead>
          <TableRow>
            {headers.map(({ key: column, header }) => {
              const isSorted = sorted.column === column;
              return (
                <TableCell
                  key={column}
                  align={column < 0 ? 'left' : 'right'}
                  sortDirection={isSorted && (sorted.isDown ? 'desc' : 'asc')}
                >
                  <TableSortLabel
                    active={isSorted}
                    direction={isSorted && sorted.isDown ? 'desc' : 'asc'}
                    onClick={() => setSorted({ column, isDown: isSorted ? !sorted.isDown : column >= 0 })}
                  >
                    {header}
                  </TableSortLabel>
                </TableCell>
              );
            })}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, name, subject, cells }) => (
            <TableRow key={key}>
              <TableCell component="th" scope="row">
                {name}
              </TableCell>
              {known !== undefined && (
                <TableCell sx={{ whiteSpace: 'nowrap' }}>{known.get(subject?.key ?? '')?.text ?? '–'}</TableCell>
              )}
              {cells.map((parts, column) => (
                <TableCell key={headers[column + leading]?.key} align="right" sx={{ whiteSpace: 'nowrap' }}>
                  {parts.length === 0 ? '–' : parts.map((part) => formatValue(part.value, part)).join(' · ')}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </MuiTable>
    </Box>
  );
}
