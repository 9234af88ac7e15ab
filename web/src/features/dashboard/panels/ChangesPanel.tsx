import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ComparedRanges } from '../../../lib/compared-ranges.ts';
import { linkedRange } from '../../../lib/time-range.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { HorizontalBars } from '../../../charts/HorizontalBars.tsx';
import { useChartColors } from '../../../charts/use-chart-colors.ts';
import { LinkAnchor } from '../../../ui/LinkButton.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { SearchField } from '../../../ui/SearchField.tsx';
import { rangeLabel } from '../../../ui/time-range/range-label.ts';
import { shownChanges, type DeviceChange } from '../changes.ts';
import classes from '../Dashboard.module.css';
import { searchDevices } from './energy-groups.ts';
import type { DashboardSearch } from '../search.ts';

interface ChangesPanelProps {
  search: DashboardSearch;
  changes: readonly DeviceChange[];
  ranges: ComparedRanges;
  timeZone: string;
}

/** Shows which devices used more or less than in the previous range: the ten largest changes, or the result of a search. */
export function ChangesPanel({ search, changes, ranges, timeZone }: ChangesPanelProps) {
  const t = useTranslations('dashboard.changes');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const colors = useChartColors();
  const [text, setText] = useState('');
  const found = searchDevices(
    changes.map((change) => ({ ...change.device, change })),
    text,
  );
  const shown = found.slice(0, shownChanges);
  const max = Math.max(0, ...shown.map(({ change }) => Math.abs(change.differenceKwh)));
  const largest = Math.max(
    ...shown.map(({ energyImportedKwh, change }) => Math.max(energyImportedKwh, change.previousKwh)),
  );
  const barColors: Record<`--${string}`, string> = {
    '--bar': colors.series[1] ?? colors.text,
    '--bar-opposite': colors.series[2] ?? colors.others,
  };
  return (
    <div className={classes.panel}>
      <Panel
        title={t('title')}
        description={t('against', { range: rangeLabel(ranges.previous, timeZone, format) })}
        actions={
          changes.length > shownChanges && (
            <SearchField label={tTerms('searchDevices')} value={text} onChange={setText} found={found.length} />
          )
        }
      >
        <div style={barColors}>
          <HorizontalBars
            label={t('title')}
            max={max}
            hasTwoDirections
            bars={shown.map(({ deviceId, deviceName, siteId, siteName, energyImportedKwh, change }) => ({
              id: deviceId,
              name: (
                <>
                  <LinkAnchor
                    to="/sites/$siteId/devices/$deviceId"
                    params={{ siteId, deviceId }}
                    search={linkedRange(search)}
                    fw={500}
                    c="inherit"
                  >
                    {deviceName}
                  </LinkAnchor>
                  <span className="detail">{siteName}</span>
                </>
              ),
              value: format.energyChange(change.differenceKwh, max),
              subvalue: change.share === null ? t('new') : format.change(change.share),
              detail: t('fromTo', {
                before: format.energy(change.previousKwh, largest),
                now: format.energy(energyImportedKwh, largest),
              }),
              size: Math.max(0, change.differenceKwh),
              estimated: 0,
              opposite: Math.max(0, -change.differenceKwh),
            }))}
          />
        </div>
        <p className={classes.note}>{shown.length === 0 ? tTerms('noDeviceMatches') : t('note')}</p>
      </Panel>
    </div>
  );
}
