import { IconButton, Tooltip } from '@mui/material';
import { lazy, Suspense, useState, type ComponentType } from 'react';
import { TableIcon } from '../icons.tsx';
import { texts } from '../texts.ts';
import type { ChartProps } from './ChartTable.tsx';

type Action = ComponentType<ChartProps>;

const ChartTable = lazy(() => import('./ChartTable.tsx').then((module) => ({ default: module.ChartTable })));

/** The plugins of a file, with a button in the head of each panel that shows the chart's numbers as a table. */
export function withTable(plugins: object): object {
  return Object.fromEntries(
    Object.entries(plugins).map(([name, plugin]: [string, unknown]) => {
      if (typeof plugin !== 'object' || plugin === null || !('PanelComponent' in plugin)) return [name, plugin];
      // What Perses has there is a download; it stands in the table.
      const [download] = 'actions' in plugin && Array.isArray(plugin.actions) ? plugin.actions : [];
      return [name, { ...plugin, actions: [{ component: tableAction(download?.component), location: 'header' }] }];
    }),
  );
}

const tableAction = (Download: Action | undefined): Action =>
  function TableAction(props) {
    const [isOpen, setIsOpen] = useState(false);
    const label = texts.tableOf(props.definition?.spec.display.name ?? '');
    return (
      <>
        <Tooltip title={texts.showTable}>
          <IconButton size="small" aria-label={label} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
            <TableIcon fontSize="inherit" />
          </IconButton>
        </Tooltip>
        {isOpen && (
          <Suspense>
            <ChartTable {...props} label={label} onClose={() => setIsOpen(false)}>
              {Download !== undefined && <Download {...props} />}
            </ChartTable>
          </Suspense>
        )}
      </>
    );
  };
