import { Button } from '@mantine/core';
import { IconMapPin, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { MunicipalityWithTariffs } from '../../../../shared/rates.ts';
import { sortedRows, type SortKey } from '../../../../shared/sorted-rows.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { ratesQuery, useSaveMunicipality } from '../../entities/rates.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { longFrom } from '../../ui/ListTable.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { SortSelect } from '../../ui/ResponsiveTable.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import type { Sort } from '../../ui/sorted-rows.ts';
import { DeleteMunicipalityDialog, DeleteTariffDialog, type DeletedTariff } from './DeleteDialogs.tsx';
import { findRates } from './queries.ts';
import { MunicipalityRates } from './MunicipalityRates.tsx';
import classes from './RatesSection.module.css';
import { type Municipality, municipalityWrite } from '../../../../shared/sites.ts';
import { browserTimeZone } from '../../../../shared/time.ts';
import { DialogForm, useDialog } from '../../ui/DialogForm.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { MunicipalityFields, PlaceChanges } from '../../entities/MunicipalityFields.tsx';

/** Municipalities with their tariffs on a time line. Administrators change them, other users read them. */
export function RatesSection() {
  const t = useTranslations('rates');
  const tSection = useTranslations('sections');
  const tCommon = useTranslations('common');
  const tMunicipality = useTranslations('municipality');
  const tTerms = useTranslations('terms');
  const { compare } = useFormat();
  const isAdmin = useHasRole('Admin');
  const rates = useQuery(ratesQuery);
  const editing = useDialog<MunicipalityWithTariffs | null>();
  const deleting = useDialog<MunicipalityWithTariffs>();
  const deletingTariff = useDialog<DeletedTariff>();
  const newButton = (
    <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => editing.open(null)}>
      {tMunicipality('new')}
    </Button>
  );
  const hasNone = rates.data?.length === 0;
  const [search, setSearch] = useState('');
  const isLong = (rates.data?.length ?? 0) >= longFrom;
  const found = findRates(rates.data ?? [], isLong ? search : '');
  const [sort, setSort] = useState<Sort | null>(null);
  const columns: { id: string; header: string; sortBy: (municipality: MunicipalityWithTariffs) => SortKey }[] = [
    { id: 'name', header: tTerms('municipality'), sortBy: ({ name }) => name },
    { id: 'timeZone', header: tTerms('timeZone'), sortBy: ({ timeZone }) => timeZone },
    { id: 'tariffs', header: tTerms('tariffs'), sortBy: ({ tariffs }) => tariffs.length },
  ];
  const sortBy = columns.find(({ id }) => id === sort?.id)?.sortBy;
  const shown = sort === null || sortBy === undefined ? found : sortedRows(found, sortBy, sort.isDescending, compare);

  return (
    <Panel
      flush
      title={tSection('rates')}
      description={t('description')}
      actions={isAdmin && !hasNone ? newButton : undefined}
    >
      <Loaded queries={[rates]} skeleton={<RowsSkeleton rows={4} height={48} isInset />}>
        {() =>
          hasNone ? (
            <EmptyState
              icon={<IconMapPin size={22} stroke={1.75} />}
              title={t('empty.title')}
              action={isAdmin ? newButton : undefined}
            >
              {t(isAdmin ? 'empty.admin' : 'empty.user')}
            </EmptyState>
          ) : (
            <>
              {isLong && (
                <div className={`${classes.tools} screen-only`}>
                  <SearchField label={tCommon('search')} value={search} onChange={setSearch} found={found.length} />
                  <SortSelect columns={columns} sort={sort} onSort={setSort} />
                </div>
              )}
              {found.length === 0 && (
                <EmptyState icon={<IconSearch size={22} stroke={1.75} />} title={tCommon('noMatch')}>
                  {tCommon('noMatchHint')}
                </EmptyState>
              )}
              {shown.map((municipality) => (
                <MunicipalityRates
                  key={municipality.id}
                  municipality={municipality}
                  isAdmin={isAdmin}
                  onEdit={editing.open}
                  onDelete={deleting.open}
                  onDeleteTariff={deletingTariff.open}
                />
              ))}
            </>
          )
        }
      </Loaded>
      {isAdmin && (
        <>
          <Dialog
            opened={editing.isOpen}
            onClose={editing.close}
            title={tMunicipality(editing.subject === null ? 'new' : 'edit')}
          >
            <MunicipalityForm municipality={editing.subject} onDone={editing.close} />
          </Dialog>
          {deleting.subject !== null && (
            <DeleteMunicipalityDialog
              municipality={deleting.subject}
              opened={deleting.isOpen}
              onClose={deleting.close}
            />
          )}
          {deletingTariff.subject !== null && (
            <DeleteTariffDialog
              {...deletingTariff.subject}
              opened={deletingTariff.isOpen}
              onClose={deletingTariff.close}
            />
          )}
        </>
      )}
    </Panel>
  );
}

interface MunicipalityFormProps {
  /** Null creates a new one. */
  municipality: Municipality | null;
  onDone: () => void;
}

/** Creates or changes a municipality. */
function MunicipalityForm({ municipality, onDone }: MunicipalityFormProps) {
  const t = useTranslations('municipality');
  const tCommon = useTranslations('common');
  const save = useSaveMunicipality();
  const { form, seen, dialog } = useRecordForm({
    seen: municipality,
    initialValues: { name: municipality?.name ?? '', timeZone: municipality?.timeZone ?? browserTimeZone() },
    schema: municipalityWrite,
    problems: { timeZone: () => t('timeZoneMissing') },
    save: (values, seen) => save.mutateAsync({ seen, values }),
    said: ({ name }) => t(municipality === null ? 'created' : 'saved', { name }),
    onSaved: onDone,
    onCancel: onDone,
    createLabel: tCommon('create'),
  });

  return (
    <DialogForm {...dialog}>
      <MunicipalityFields
        isAlone
        name={form.getInputProps('name')}
        timeZone={{ ...form.getInputProps('timeZone'), value: form.values.timeZone }}
        isChange={municipality !== null}
      />
      {seen !== null && form.values.timeZone !== '' && form.values.timeZone !== seen.timeZone && (
        <PlaceChanges path={`/api/admin/rates/municipalities/${seen.id}`} place={{ timeZone: form.values.timeZone }} />
      )}
    </DialogForm>
  );
}
