import { useTranslations } from 'use-intl';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function DashboardPage() {
  const t = useTranslations('dashboard');
  return <PageHeader title={t('title')} />;
}
