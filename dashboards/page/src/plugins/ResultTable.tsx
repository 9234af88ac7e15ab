import { Box, Table as MuiTable, TableBody, TableCell, TableHead, TableRow, TableSortLabel } from '@mui/material';
import { useMemo, useState } from 'react';
import { tableOptions, type TableOptions } from '../../../../shared/dashboard-panels.ts';
import { querySpec } from '../../../../shared/dashboard-tool.ts';
import { format } from '../reader.ts';
import { texts } from '../texts.ts';
import { formatValue } from '../units.ts';
import { chartPanel, type DrawnProps } from './chart-panel.tsx';
import { resultRows } from './result-rows.ts';

/** A row for each site, device or customer, and a column for each query. */
export const Table = chartPanel<TableOptions>({
  options: tableOptions,
  initial: { columnSettings: [] },
  mode: 'instant',
  Drawn: ResultTable,
});

/** The id of the column of names. */
const names = -1;

function ResultTable({ options, title, answers, questions, width, height }: DrawnProps<TableOptions>) {
  const [sorted, setSorted] = useState({ column: names, isDown: false });
  const rows = useMemo(() => {
    const collator = new Intl.Collator(format.locale, { numeric: true });
    const { column, isDown } = sorted;
    const valueIn = (row: (typeof made)[number]) => row.cells[column]?.[0]?.value ?? -Infinity;
    const made = resultRows(answers);
    const ordered = made.toSorted((a, b) =>
      column === names ? collator.compare(a.name, b.name) : valueIn(a) - valueIn(b),
    );
    return isDown ? ordered.toReversed() : ordered;
  }, [answers, sorted]);
  const shown = options.columnSettings.filter(({ hide }) => hide !== true);
  const headers = [
    { key: names, header: shown.find(({ name }) => !name.startsWith('value'))?.header ?? texts.series },
    ...answers.map(({ definition }, key) => {
      const { spec } = definition.spec.plugin;
      const place = questions.findIndex((question) => question.spec.plugin.spec === spec) + 1;
      const asked = querySpec.safeParse(spec).data?.measure;
      const said = shown.find(({ name }) => name === `value #${place}` || (name === 'value' && place === 1))?.header;
      return { key, header: said ?? (asked === undefined ? texts.value : texts.measures[asked]) };
    }),
  ];
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
                  align={column === names ? 'left' : 'right'}
                  sortDirection={isSorted && (sorted.isDown ? 'desc' : 'asc')}
                >
                  <TableSortLabel
                    active={isSorted}
                    direction={isSorted && sorted.isDown ? 'desc' : 'asc'}
                    onClick={() => setSorted({ column, isDown: isSorted ? !sorted.isDown : column !== names })}
                  >
                    {header}
                  </TableSortLabel>
                </TableCell>
              );
            })}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, name, cells }) => (
            <TableRow key={key}>
              <TableCell component="th" scope="row">
                {name}
              </TableCell>
              {cells.map((parts, column) => (
                <TableCell key={headers[column + 1]?.key} align="right" sx={{ whiteSpace: 'nowrap' }}>
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
