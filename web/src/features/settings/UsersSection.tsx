import { useTranslations } from 'use-intl';
import { Panel } from '../../ui/Panel.tsx';

export function UsersSection() {
  const t = useTranslations('settings');
  return <Panel title={t('sections.users')}>{null}</Panel>;
}
