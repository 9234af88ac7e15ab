import { useTranslations } from 'use-intl';
import { Panel } from '../../ui/Panel.tsx';

export function ApiKeysSection() {
  const t = useTranslations('settings');
  return <Panel title={t('sections.apiKeys')}>{null}</Panel>;
}
