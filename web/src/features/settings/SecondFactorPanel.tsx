import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { OwnSecondFactor } from '../../../../shared/accounts.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { RecoveryCodes } from '../../ui/second-factor/RecoveryCodes.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { AddAppForm } from './AddAppForm.tsx';
import { OwnPasswordForm } from './OwnPasswordForm.tsx';
import { secondFactorQuery, useRenewCodes, useTurnOff } from './second-factor-query.ts';

type Task = 'add' | 'replace' | 'renew' | 'turnOff';

/** The signed-in user's second factor: on, off, another app, other recovery codes. */
export function SecondFactorPanel() {
  const t = useTranslations('secondFactor');
  const own = useQuery(secondFactorQuery);
  const task = useDialog<Task>();
  // Codes are not to be had again, so only their own button closes the dialog.
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => {
    task.close();
    setCodes(null);
  };
  const isAdding = task.subject === 'add' || task.subject === 'replace';
  return (
    <Panel title={t('title')} description={t('description')}>
      {own.data !== undefined ? (
        <State own={own.data} onTask={task.open} />
      ) : own.isError ? (
        <ErrorState compact error={own.error} onRetry={() => void own.refetch()} />
      ) : (
        <RowsSkeleton rows={2} />
      )}
      <Dialog
        opened={task.isOpen}
        isFirm={codes !== null}
        onClose={close}
        title={t(codes !== null ? 'codes' : (task.subject ?? 'add'))}
      >
        {codes !== null ? (
          <RecoveryCodes codes={codes} onDone={close} />
        ) : isAdding ? (
          <AddAppForm isReplacing={task.subject === 'replace'} onCodes={setCodes} onCancel={close} />
        ) : task.subject === 'renew' ? (
          <RenewForm onCodes={setCodes} onCancel={close} />
        ) : (
          task.subject === 'turnOff' && <TurnOffForm onDone={close} />
        )}
      </Dialog>
    </Panel>
  );
}

function State({ own, onTask }: { own: OwnSecondFactor; onTask: (task: Task) => void }) {
  const t = useTranslations('secondFactor');
  const format = useFormat();
  const { appAddedAt, recoveryCodesLeft, isRequired } = own;
  if (appAddedAt === null) {
    return (
      <Stack gap="md" align="flex-start">
        <Text>{t('off')}</Text>
        <Button onClick={() => onTask('add')}>{t('add')}</Button>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <Text>
        {t('on', { day: format.date(appAddedAt, browserTimeZone()) })} {t('codesLeft', { count: recoveryCodesLeft })}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => onTask('renew')}>
          {t('renew')}
        </Button>
        <Button variant="default" onClick={() => onTask('replace')}>
          {t('replace')}
        </Button>
        <ReasonedButton variant="default" reason={isRequired ? t('required') : null} onClick={() => onTask('turnOff')}>
          {t('turnOff')}
        </ReasonedButton>
      </Group>
    </Stack>
  );
}

function RenewForm({ onCodes, onCancel }: { onCodes: (codes: string[]) => void; onCancel: () => void }) {
  const t = useTranslations('secondFactor');
  const renew = useRenewCodes();
  const submit = (password: string) =>
    renew.mutate(password, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) });
  return <OwnPasswordForm text={t('renewText')} action={renew} submitLabel={t('renew')} {...{ submit, onCancel }} />;
}

function TurnOffForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('secondFactor');
  const turnOff = useTurnOff();
  const submit = (password: string) =>
    turnOff.mutate(password, {
      onSuccess: () => {
        notifications.show({ color: 'green', message: t('turnedOff') });
        onDone();
      },
    });
  return (
    <OwnPasswordForm
      text={t('turnOffText')}
      action={turnOff}
      submitLabel={t('turnOff')}
      color="red"
      submit={submit}
      onCancel={onDone}
    />
  );
}
