import { IconArrowRight } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { LinkButton } from '../../ui/LinkButton.tsx';
import { Panel } from '../../ui/Panel.tsx';
import classes from './Places.module.css';

/** Instructions for a device that has not sent anything yet. */
export function SendingPanel({ isAdmin }: { isAdmin: boolean }) {
  const t = useTranslations('sites.sending');
  const tTerms = useTranslations('terms');
  return (
    <Panel title={t('title')}>
      <p className={classes.text}>{isAdmin ? t('admin') : t('user')}</p>
      {isAdmin && (
        <LinkButton
          to="/settings/api-keys"
          variant="default"
          rightSection={<IconArrowRight size={16} stroke={1.75} aria-hidden />}
        >
          {tTerms('goToApiKeys')}
        </LinkButton>
      )}
    </Panel>
  );
}
