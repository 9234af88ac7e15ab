import { Autocomplete, MenuItem, Stack, TextField } from '@mui/material';
import type { OptionsEditorProps } from '@perses-dev/plugin-system';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { measure, seriesBucket, split, type QuerySpec } from '../../../../shared/dashboard-tool.ts';
import { listCustomers, listDevices, listSites } from '../api.ts';
import { texts } from '../texts.ts';
import { useToolUser } from '../tool-user.ts';
import { initialQuery } from './choose.ts';

/** What a query requests: measures of the portal by name, without a query language. */
export function QueryForm(props: OptionsEditorProps<QuerySpec>) {
  const { value, isReadonly = false, queryHandlerSettings } = props;
  const isFleet = useToolUser().runMode === 'Admin';

  // When a panel is applied, Perses overwrites the changes with watched values.
  const onChange = (next: QuerySpec) => {
    props.onChange(next);
    queryHandlerSettings?.setWatchOtherSpecs({ ...next });
  };

  return (
    <Stack spacing={2} sx={{ py: 1 }}>
      {!isReadonly && <FollowPanel value={value} onChange={onChange} />}
      <Stack direction="row" useFlexGap flexWrap="wrap" gap={2}>
        <ChoiceOf
          label={texts.measure}
          value={value.measure}
          options={measure.options}
          names={texts.measures}
          isDisabled={isReadonly}
          onChange={(chosen) => onChange({ ...value, measure: chosen })}
        />
        <ChoiceOf
          label={texts.split}
          value={value.split ?? 'none'}
          options={split.options.filter((option) => isFleet || option !== 'customer')}
          names={texts.splits}
          isDisabled={isReadonly}
          onChange={(chosen) => onChange({ ...value, split: chosen })}
        />
        <ChoiceOf
          label={texts.bucket}
          value={value.bucket ?? 'auto'}
          options={['auto', ...seriesBucket.options]}
          names={texts.buckets}
          isDisabled={isReadonly}
          onChange={(chosen) => onChange({ ...value, bucket: chosen === 'auto' ? undefined : chosen })}
        />
        {value.measure === 'cost' && (
          <TextField
            label={texts.currency}
            value={value.currency ?? ''}
            disabled={isReadonly}
            helperText={texts.currencyHint}
            onChange={({ target }) => onChange({ ...value, currency: target.value || undefined })}
          />
        )}
      </Stack>
      <ThingsForm value={value} onChange={onChange} isDisabled={isReadonly} />
    </Stack>
  );
}

interface FollowProps {
  value: QuerySpec;
  onChange: (next: QuerySpec) => void;
}

/** Runs at once, so that a new panel has a preview. Until the user chooses, it requests what fits the kind of panel. */
function FollowPanel({ value, onChange }: FollowProps) {
  const isFleet = useToolUser().runMode === 'Admin';
  const { getValues, trigger } = useFormContext();
  const kind = String(useWatch({ name: 'panelDefinition.spec.plugin.kind' }));
  const followed = useRef(kind);
  const isNamed = Boolean(useWatch({ name: 'panelDefinition.spec.display.name' }));
  // Without this, Perses allows adding the panel only after the field of the name has lost the focus.
  useEffect(() => {
    if (isNamed) void trigger();
  }, [isNamed, trigger]);
  useEffect(() => {
    const { measure, split } = initialQuery(followed.current, isFleet);
    const isUntouched = value.measure === measure && value.split === split;
    const isNew = [getValues('panelDefinition.spec.queries')].flat().length === 0;
    if (isNew || (isUntouched && kind !== followed.current)) {
      onChange(isUntouched ? { ...value, ...initialQuery(kind, isFleet) } : value);
    }
    followed.current = kind;
  });
  return null;
}

interface ChoiceProps<Option extends string> {
  label: string;
  value: Option;
  options: readonly Option[];
  names: Record<Option, string>;
  isDisabled?: boolean;
  onChange: (chosen: Option) => void;
}

export function ChoiceOf<Option extends string>(props: ChoiceProps<Option>) {
  const { label, value, options, names, isDisabled = false, onChange } = props;
  return (
    <TextField
      select
      label={label}
      value={value}
      disabled={isDisabled}
      sx={{ minWidth: 200 }}
      onChange={({ target }) => {
        const chosen = options.find((option) => option === target.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {options.map((option) => (
        <MenuItem key={option} value={option}>
          {names[option]}
        </MenuItem>
      ))}
    </TextField>
  );
}

interface Chosen {
  sites?: string[] | undefined;
  devices?: string[] | undefined;
  customers?: string[] | undefined;
}

interface ThingsFormProps<Spec extends Chosen> {
  value: Spec;
  onChange: (next: Spec) => void;
  isDisabled?: boolean;
}

/** Choices of sites, devices and customers. A variable stands for the choice in the whole dashboard. */
export function ThingsForm<Spec extends Chosen>({ value, onChange, isDisabled = false }: ThingsFormProps<Spec>) {
  const isFleet = useToolUser().runMode === 'Admin';
  const sites = useQuery({ queryKey: ['sites'], queryFn: () => listSites({ customer: [] }) });
  const devices = useQuery({ queryKey: ['devices'], queryFn: () => listDevices({ site: [], customer: [] }) });
  const customers = useQuery({ queryKey: ['customers'], queryFn: listCustomers, enabled: isFleet });
  const fields = [
    ...(isFleet
      ? ([{ key: 'customers', label: texts.customers, variable: '$customer', things: customers.data }] as const)
      : []),
    { key: 'sites', label: texts.sites, variable: '$site', things: sites.data },
    { key: 'devices', label: texts.devices, variable: '$device', things: devices.data },
  ] as const;
  return (
    <Stack spacing={2} sx={{ pt: 1 }}>
      {fields.map(({ key, label, variable, things = [] }) => {
        const chosen = value[key] ?? [];
        const names = new Map(things.map(({ id, name }) => [id, name]));
        return (
          <Autocomplete
            key={key}
            multiple
            size="small"
            disabled={isDisabled}
            options={[...new Set([variable, ...chosen, ...names.keys()])]}
            getOptionLabel={(id) => names.get(id) ?? id}
            value={chosen}
            onChange={(_, next) => onChange({ ...value, [key]: next })}
            renderInput={(params) => <ThingsInput params={params} label={label} isEmpty={chosen.length === 0} />}
          />
        );
      })}
    </Stack>
  );
}

type InputParams = Parameters<NonNullable<Parameters<typeof Autocomplete>[0]['renderInput']>>[0];

function ThingsInput({ params, label, isEmpty }: { params: InputParams; label: string; isEmpty: boolean }) {
  return (
    // MUI's label props allow undefined, but those of the field do not.
    <TextField
      id={params.id}
      disabled={params.disabled}
      fullWidth
      label={label}
      helperText={texts.chosenHint}
      placeholder={isEmpty ? texts.allOfThem : ''}
      slotProps={{ input: params.InputProps, htmlInput: params.inputProps }}
    />
  );
}
