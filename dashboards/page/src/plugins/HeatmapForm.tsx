import type { OptionsEditorProps } from '@perses-dev/plugin-system';
import { Box } from '@mui/material';
import type { HeatmapSpec } from './HeatmapPanel.tsx';
import { ChoiceOf, ThingsForm } from './QueryForm.tsx';
import { texts } from '../texts.ts';

const measures = ['power', 'energy'] as const;

export function HeatmapForm({ value, onChange }: OptionsEditorProps<HeatmapSpec>) {
  return (
    <Box sx={{ p: 2 }}>
      <ChoiceOf
        label={texts.measure}
        value={value.measure}
        options={measures}
        names={texts.measures}
        onChange={(measure) => onChange({ ...value, measure })}
      />
      <ThingsForm value={value} onChange={onChange} />
    </Box>
  );
}
