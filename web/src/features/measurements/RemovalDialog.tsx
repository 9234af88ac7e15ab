import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { type RemovalPreview, type RemovalQuestion, removalPreview } from '../../../../shared/removals.ts';
import { CostChanges } from '../../entities/CostChanges.tsx';
import { changedAmounts } from '../../entities/cost-changes.ts';
import { useRenewAll } from '../../entities/rates.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { fetchJson, fetchNothing } from '../../lib/http.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';

interface RemovalDialogProps {
  device: { id: string; name: string };
  question: RemovalQuestion;
  timeZone: string;
  opened: boolean;
  onClose: () => void;
}

/** Shows what a removal would change, and removes the rows once the user has typed the name of the device. */
export function RemovalDialog({ device, question, timeZone, opened, onClose }: RemovalDialogProps) {
  const t = useTranslations('measurements.removal');
  const errorText = useErrorText();
  const renew = useRenewAll();
  const path = `/api/admin/devices/${device.id}/removals`;
  const preview = useQuery({
    queryKey: ['removal-preview', path, ...Object.values(question)],
    queryFn: ({ signal }) => fetchJson(`${path}/preview`, removalPreview, { method: 'POST', json: question, signal }),
    enabled: opened,
    gcTime: 0,
    retry: false,
  });
  const { data, error } = preview;
  const count = data?.count ?? 0;
  const barred =
    error !== null ? errorText(error) : data === undefined ? <Skeleton height={120} /> : count === 0 ? t('none') : null;
  return (
    <ConfirmByName
      opened={opened}
      title={t(`titles.${question.kind}`)}
      name={device.name}
      {...(barred !== null && { barred })}
      onConfirm={async () => {
        try {
          await fetchNothing(path, { method: 'POST', json: { ...question, count } });
        } catch (refusal) {
          // If rows have arrived or were removed in between, the new count is shown before another attempt.
          await preview.refetch();
          throw refusal;
        }
        void renew();
      }}
      done={t('done', { count })}
      onClose={onClose}
    >
      {data !== undefined && <Effect preview={data} device={device.name} kind={question.kind} timeZone={timeZone} />}
    </ConfirmByName>
  );
}

interface EffectProps {
  preview: RemovalPreview;
  device: string;
  kind: RemovalQuestion['kind'];
  timeZone: string;
}

/** The number of rows to remove, and the effect. */
function Effect({ preview, device, kind, timeZone }: EffectProps) {
  const t = useTranslations('measurements');
  const format = useFormat();
  const { count, firstAt, lastAt, energyImportedKwh, energyExportedKwh, costs } = preview;
  const [from, to] = [firstAt, lastAt].map((at) => (at === null ? '' : format.dateTimeSeconds(at, timeZone)));
  const months = costs.months.filter((month) => changedAmounts({ ...costs, months: [month] }).rows.length > 0);
  const energies = [
    { name: 'energyImported', ...energyImportedKwh },
    { name: 'energyExported', ...energyExportedKwh },
  ] as const;
  return (
    <>
      <strong>{t(`removal.${kind}`, { count, device, from: from ?? '', to: to ?? '' })}</strong>
      {energies
        .filter(({ before, after }) => before !== after)
        .map(({ name, before, after }) => (
          <p key={name} className="figures">
            {format.labelled(t(`quantities.${name}`), `${format.energy(before)} → ${format.energy(after)}`)} (
            {format.energyChange(after - before)})
          </p>
        ))}
      {months.length > 0 ? <CostChanges preview={{ ...costs, months }} ofEnergy /> : <p>{t('removal.noCost')}</p>}
      <p>{t('removal.text')}</p>
      <p>{t('removal.again')}</p>
    </>
  );
}
