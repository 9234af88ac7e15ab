import {
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableRow,
  Typography,
} from '@mui/material';
import { useMemo } from 'react';
import { csvFile, fileStem } from '../../../../web/src/lib/csv.ts';
import { saveFile } from '../../../../web/src/lib/download.ts';
import { fill, texts } from '../texts.ts';
import { pointLabel } from '../times.ts';
import { formatValue } from '../units.ts';
import { partsOf, type Answers } from './parts.ts';
import { rowsOf } from './table-rows.ts';

/** The maximum number of rows. More would make the page slow; a download has all of them. */
const maxRows = 500;

interface ChartTableProps {
  title: string;
  /** The data so far; some queries may have no answer yet. */
  answers: Answers;
  onClose: () => void;
}

/** The data of a chart, in words and numbers. */
export function ChartTable({ title, answers, onClose }: ChartTableProps) {
  const { head, rows } = useMemo(() => {
    const answered = answers.filter(({ data }): boolean => data !== undefined);
    const stepMs = Math.min(...answered.map(({ data }) => data.stepMs ?? 0));
    return rowsOf(answered.flatMap(partsOf), (atMs) => pointLabel(atMs, stepMs));
  }, [answers]);
  const first = { key: '', name: head === null ? texts.series : texts.time };
  const columns = head ?? [{ key: 'value', name: texts.value }];
  const save = () => {
    const numbers = rows.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.value ?? null)]);
    saveFile(
      csvFile({ name: title, header: [first, ...columns].map(({ name }) => name), rows: numbers }),
      `${fileStem(title)}.csv`,
    );
  };
  return (
    <Dialog open onClose={onClose} maxWidth="lg">
      <DialogTitle>{title}</DialogTitle>
      <DialogContent tabIndex={0} sx={{ fontVariantNumeric: 'tabular-nums', '& th, & td': { whiteSpace: 'nowrap' } }}>
        {rows.length === 0 && <Typography color="text.secondary">{texts.noReadings}</Typography>}
        {rows.length > maxRows && (
          <Typography variant="body2">{fill(texts.firstRows, { shown: maxRows, all: rows.length })}</Typography>
        )}
        <Table size="small" stickyHeader aria-label={fill(texts.tableOf, { title })}>
          <TableHead>
            <TableRow>
              {[first, ...columns].map(({ key, name }) => (
                <TableCell key={key} align={key === first.key ? 'left' : 'right'}>
                  {name}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.slice(0, maxRows).map(({ key, name, cells }) => (
              <TableRow key={key}>
                <TableCell component="th" scope="row">
                  {name}
                </TableCell>
                {cells.map((cell, column) => (
                  <TableCell key={columns[column]?.key} align="right">
                    {cell === null ? '–' : formatValue(cell.value, cell)}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </DialogContent>
      <DialogActions>
        {rows.length > 0 && <Button onClick={save}>{texts.downloadCsv}</Button>}
        <Button onClick={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
