import { useTranslations } from 'use-intl';
import { PageHeader } from '../../ui/PageHeader.tsx';

export function SitePage() {
  const t = useTranslations('sites');
  return <PageHeader title={t('title')} />;
}
