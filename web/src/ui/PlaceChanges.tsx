import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { costPreview } from '../../../shared/rates.ts';
import { useErrorText } from '../lib/error-text.ts';
import { fetchJson } from '../lib/http.ts';
import { CostChanges } from './CostChanges.tsx';

interface PlaceChangesProps {
  /** Of the site, or of the municipality, under which a preview is asked for. */
  path: string;
  /** The place that is chosen, as the preview takes it. */
  place: { municipalityId: string } | { timeZone: string };
}

/** What a new place changes in months that are measured already, while it is being chosen. */
export function PlaceChanges({ path, place }: PlaceChangesProps) {
  const t = useTranslations('rates.changes');
  const errorText = useErrorText();
  const { data, error } = useQuery({
    queryKey: ['place-preview', path, place],
    queryFn: ({ signal }) => fetchJson(`${path}/preview`, costPreview, { method: 'POST', json: place, signal }),
    gcTime: 0,
    retry: false,
  });
  return (
    <div role="status">
      {data !== undefined && data.months.length > 0 && <CostChanges preview={data} />}
      {error !== null && <p>{t('failed', { reason: errorText(error) })}</p>}
    </div>
  );
}
