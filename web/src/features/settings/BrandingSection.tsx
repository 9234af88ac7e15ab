import { useTranslations } from 'use-intl';
import { Panel } from '../../ui/Panel.tsx';

export function BrandingSection() {
  const t = useTranslations('settings');
  return <Panel title={t('sections.branding')}>{null}</Panel>;
}
