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
import type { TimeSeriesData } from '@perses-dev/core';
import type { PanelProps } from '@perses-dev/plugin-system';
import { useMemo, type ReactNode } from 'react';
import { z } from 'zod';
import { dayMs } from '../../../../web/src/lib/time.ts';
import { format } from '../reader.ts';
import { texts } from '../texts.ts';
import { formatValue } from '../units.ts';
import { zone } from '../zone.ts';
import { rowsOf } from './table-rows.ts';

export type ChartProps = PanelProps<unknown, TimeSeriesData>;

/** More would make the page slow; a download has all of them. */
const maxRows = 500;

const unitOf = z.object({ unit: z.string() }).optional().catch(undefined);
const formats = z.object({ format: unitOf, yAxis: z.object({ format: unitOf }).optional().catch(undefined) });

function instant(atMs: number, stepMs: number): string {
  if (stepMs < dayMs) return format.dateTime(atMs, zone());
  return stepMs > 7 * dayMs ? format.month(atMs, zone()) : format.date(atMs, zone());
}

interface ChartTableProps extends ChartProps {
  label: string;
  children: ReactNode;
  onClose: () => void;
}

/** What a chart shows, in words and numbers. */
export function ChartTable({ queryResults, definition, label, children, onClose }: ChartTableProps) {
  const { head, rows } = useMemo(() => {
    const answers = queryResults.map(({ data }): TimeSeriesData => data);
    const stepMs = Math.min(...answers.map((answer) => answer.stepMs ?? 0));
    return rowsOf(
      answers.flatMap(({ series }) => series),
      (atMs) => instant(atMs, stepMs),
    );
  }, [queryResults]);
  const asked = formats.safeParse(definition?.spec.plugin.spec).data;
  const options = asked?.yAxis?.format ?? asked?.format;
  const columns = head ?? [{ column: 0, name: texts.value }];
  const written = (value: number | null = null) => (value === null ? '–' : formatValue(value, options));
  return (
    <Dialog open onClose={onClose} maxWidth="lg">
      <DialogTitle>{definition?.spec.display.name}</DialogTitle>
      <DialogContent tabIndex={0} sx={{ fontVariantNumeric: 'tabular-nums', '& th, & td': { whiteSpace: 'nowrap' } }}>
        {rows.length === 0 && <Typography color="text.secondary">{texts.noReadings}</Typography>}
        {rows.length > maxRows && <Typography variant="body2">{texts.firstRows(maxRows, rows.length)}</Typography>}
        <Table size="small" stickyHeader aria-label={label}>
          <TableHead>
            <TableRow>
              <TableCell>{head === null ? texts.series : texts.time}</TableCell>
              {columns.map(({ column, name }) => (
                <TableCell key={column} align="right">
                  {name}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {rows.slice(0, maxRows).map(({ key, name, values }) => (
              <TableRow key={key}>
                <TableCell component="th" scope="row">
                  {name}
                </TableCell>
                {columns.map(({ column }) => (
                  <TableCell key={column} align="right">
                    {written(values[column])}
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </DialogContent>
      <DialogActions>
        {children}
        <Button onClick={onClose}>{texts.close}</Button>
      </DialogActions>
    </Dialog>
  );
}
