import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ResponsiveTable, type ResponsiveTableProps } from './ResponsiveTable.tsx';
import classes from './LongTable.module.css';

interface LongTableProps<Row> extends ResponsiveTableProps<Row> {
  /** So many rows are shown at first, and more with each step. */
  stepRows?: number;
}

/** A table of so many rows that only the first are shown until more are asked for. */
export function LongTable<Row>({ rows, stepRows = 50, ...table }: LongTableProps<Row>) {
  const t = useTranslations('common');
  const [limit, setLimit] = useState(stepRows);
  const more = Math.min(stepRows, rows.length - limit);
  return (
    <>
      <ResponsiveTable rows={rows.slice(0, limit)} {...table} />
      {more > 0 && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => setLimit(limit + stepRows)}>
            {t('showMore', { count: more, total: rows.length })}
          </Button>
        </div>
      )}
    </>
  );
}
