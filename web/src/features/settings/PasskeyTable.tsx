import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { ListedPasskey } from '../../../../shared/passkeys.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { ResponsiveTable, type Column } from '../../ui/ResponsiveTable.tsx';
import classes from './section.module.css';

interface PasskeyTableProps {
  passkeys: readonly ListedPasskey[];
  /** Why none can be removed; null where one can. */
  keptBecause: string | null;
  onRemove: (passkey: ListedPasskey) => void;
}

/** The own passkeys; one of another address of the portal says so. */
export function PasskeyTable({ passkeys, keptBecause, onRemove }: PasskeyTableProps) {
  const t = useTranslations('secondFactor');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const day = (at: string) => <time dateTime={at}>{format.date(at, browserTimeZone())}</time>;
  const columns: Column<ListedPasskey>[] = [
    {
      id: 'name',
      header: t('passkeyName'),
      kind: 'name',
      renderCell: ({ name, host }) => (
        <span className={classes.name}>
          {name}{' '}
          {host !== window.location.hostname && (
            <Text span c="dimmed">
              {t('ofHost', { host })}
            </Text>
          )}
        </span>
      ),
    },
    { id: 'created', header: t('created'), renderCell: ({ createdAt }) => day(createdAt) },
    {
      id: 'lastUsed',
      header: t('lastUsed'),
      renderCell: ({ lastUsedAt }) => (lastUsedAt === null ? tCommon('never') : day(lastUsedAt)),
    },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (passkey) => (
        <ReasonedButton
          reason={keptBecause}
          variant="subtle"
          color="red"
          size="compact-sm"
          aria-label={t('removePasskeyNamed', { name: passkey.name })}
          onClick={() => onRemove(passkey)}
        >
          {t('removePasskey')}
        </ReasonedButton>
      ),
    },
  ];
  return <ResponsiveTable label={t('passkeys')} columns={columns} rows={passkeys} rowKey={({ id }) => id} />;
}
