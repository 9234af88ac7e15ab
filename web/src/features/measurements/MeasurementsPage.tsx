import { useTranslations } from 'use-intl';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function MeasurementsPage() {
  const t = useTranslations('measurements');
  return <PageHeader title={t('title')} />;
}
