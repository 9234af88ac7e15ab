import { IconCalculator } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { LinkButton } from '../../ui/LinkButton.tsx';

/** The fragment that leads to the calculator of a tariff's page. */
export const calculatorAnchor = 'calculator';

/** Links from the head of a tariff's page to its calculator, with the user's own meters as the load. */
export function TryOnLoadLink({ tariffId }: { tariffId: string }) {
  const t = useTranslations('rates');
  return (
    <LinkButton
      to="/settings/rates/$tariffId"
      params={{ tariffId }}
      hash={calculatorAnchor}
      variant="default"
      leftSection={<IconCalculator size={16} stroke={1.75} aria-hidden />}
    >
      {t('tryOnLoad')}
    </LinkButton>
  );
}
