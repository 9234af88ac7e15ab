import { useTranslations } from 'use-intl';
import { Panel } from '../../ui/Panel.tsx';

export function ConfigurationSection() {
  const t = useTranslations('settings');
  return <Panel title={t('sections.configuration')}>{null}</Panel>;
}
