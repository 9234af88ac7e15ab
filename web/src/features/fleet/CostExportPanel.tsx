import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { add, browserTimeZone, dayMs, startOf, toLocalText } from '../../lib/time.ts';
import { ExcelButton } from '../../ui/ExcelButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { costExportPath } from './queries.ts';
import classes from './CostExportPanel.module.css';

const dateAt = (atMs: number, timeZone: string): string => toLocalText(atMs, timeZone).slice(0, 'YYYY-MM-DD'.length);

/** The last whole month, both ends included. */
function lastMonth(): { from: string; to: string } {
  const zone = browserTimeZone();
  const thisMonth = startOf('month', Date.now(), zone);
  return {
    from: dateAt(add(-1, 'month', thisMonth, zone), zone),
    to: dateAt(add(-1, 'day', thisMonth, zone), zone),
  };
}

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + dayMs).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** Energy and cost of the customer's local days as a workbook. */
export function CostExportPanel({ customerId }: { customerId: string }) {
  const t = useTranslations('fleet.customer.cost');
  const tTerms = useTranslations('terms');
  const tRange = useTranslations('common.timeRange');
  const [{ from, to }, setDates] = useState(lastMonth);
  const reason = from === '' || to === '' ? t('incomplete') : to < from ? tRange('toAfterFrom') : null;
  return (
    <div className="screen-only">
      <Panel title={t('title')} description={t('description')}>
        <div className={classes.fields}>
          <TextInput
            type="date"
            label={tTerms('firstDay')}
            value={from}
            onChange={({ currentTarget: { value } }) => setDates((before) => ({ ...before, from: value }))}
          />
          <TextInput
            type="date"
            label={tTerms('lastDay')}
            value={to}
            onChange={({ currentTarget: { value } }) => setDates((before) => ({ ...before, to: value }))}
          />
          <ExcelButton
            path={costExportPath(customerId)}
            query={reason === null ? { fromDate: from, toDate: dayAfter(to) } : {}}
            reason={reason}
            isReady
          />
        </div>
      </Panel>
    </div>
  );
}
