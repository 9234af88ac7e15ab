import type { PanelPlugin } from '@perses-dev/plugin-system';
import { createElement } from 'react';
import { texts } from '../texts.ts';
import { HeatmapForm } from './HeatmapForm.tsx';
import { HeatmapPanel, type HeatmapSpec } from './HeatmapPanel.tsx';

/** Hours by days, colored by load. It sends its own query, because a heatmap is not a set of series. */
export const LoadHeatmap: PanelPlugin<HeatmapSpec> = {
  PanelComponent: ({ spec, contentDimensions }) =>
    contentDimensions === undefined ? null : createElement(HeatmapPanel, { spec, ...contentDimensions }),
  panelOptionsEditorComponents: [{ label: texts.settings, content: HeatmapForm }],
  hideQueryEditor: true,
  createInitialOptions: () => ({ measure: 'power', sites: ['$site'] }),
};
