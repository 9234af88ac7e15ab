import { useTranslations } from 'use-intl';
import { useHasRole } from '../../lib/current-user.ts';
import { LinkAnchor } from '../../ui/LinkButton.tsx';

/** A link to the tariffs for users who can change them. */
export function RatesLink() {
  const t = useTranslations('dashboard.cost');
  const isAdmin = useHasRole('Admin');
  if (!isAdmin) return null;
  return (
    <LinkAnchor to="/settings/rates" inherit underline="always" className="screen-only">
      {t('setTariff')}
    </LinkAnchor>
  );
}
