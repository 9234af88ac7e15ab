import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { OwnProof, OwnSecondFactor } from '../../../../shared/passkeys.ts';
import { mayHavePasskeys } from '../../lib/passkeys.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { RecoveryCodes } from '../../ui/second-factor/RecoveryCodes.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { AddAppForm } from './AddAppForm.tsx';
import { OwnPasswordForm } from './OwnPasswordForm.tsx';
import { AddPasskeyForm, RemovePasskeyForm } from './PasskeyForms.tsx';
import { PasskeyTable } from './PasskeyTable.tsx';
import classes from './section.module.css';
import { isSecondFactorOn, secondFactorQuery, useRenewCodes, useTurnOff } from './second-factor-query.ts';

type Task =
  | { name: 'replace' | 'renew' | 'turnOff' }
  | { name: 'add' | 'addPasskey'; isFirst: boolean }
  | { name: 'removePasskey'; id: string; isLast: boolean };

/** The signed-in user's second factor: an app, passkeys, recovery codes. */
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
  const { subject } = task;
  return (
    <Panel title={t('title')} description={t('description')}>
      <Loaded query={own} skeleton={<RowsSkeleton rows={5} />}>
        {(data) => <State own={data} onTask={task.open} />}
      </Loaded>
      <Dialog
        opened={task.isOpen}
        isFirm={codes !== null}
        onClose={close}
        title={t(codes !== null ? 'codes' : (subject?.name ?? 'add'))}
      >
        {codes !== null ? (
          <RecoveryCodes codes={codes} onDone={close} />
        ) : subject?.name === 'replace' ? (
          <AddAppForm text={t('replaceText')} onCodes={setCodes} onCancel={close} />
        ) : subject?.name === 'add' ? (
          <AddAppForm text={t(subject.isFirst ? 'firstText' : 'addText')} onCodes={setCodes} onCancel={close} />
        ) : subject?.name === 'renew' ? (
          <RenewForm onCodes={setCodes} onCancel={close} />
        ) : subject?.name === 'addPasskey' ? (
          <AddPasskeyForm
            text={t(subject.isFirst ? 'firstText' : 'addPasskeyText')}
            onCodes={setCodes}
            onDone={close}
          />
        ) : subject?.name === 'removePasskey' ? (
          <RemovePasskeyForm
            id={subject.id}
            text={t(subject.isLast ? 'removeLastText' : 'removePasskeyText')}
            onDone={close}
          />
        ) : (
          subject?.name === 'turnOff' && <TurnOffForm onDone={close} />
        )}
      </Dialog>
    </Panel>
  );
}

function State({ own, onTask }: { own: OwnSecondFactor; onTask: (task: Task) => void }) {
  const t = useTranslations('secondFactor');
  const format = useFormat();
  const { appAddedAt, passkeys, recoveryCodesLeft, isRequired } = own;
  const isOn = isSecondFactorOn(own);
  const isLast = appAddedAt === null && passkeys.length === 1;
  const noPasskeys = mayHavePasskeys() ? null : t('noPasskeysHere', { host: window.location.host });
  return (
    <Stack gap="md">
      <Text>
        {isOn
          ? [
              ...(appAddedAt === null ? [] : [t('on', { day: format.date(appAddedAt, browserTimeZone()) })]),
              t('codesLeft', { count: recoveryCodesLeft }),
            ].join(' ')
          : t('off')}
      </Text>
      <Group gap="xs">
        {isOn && (
          <Button variant="default" onClick={() => onTask({ name: 'renew' })}>
            {t('renew')}
          </Button>
        )}
        {appAddedAt === null ? (
          <Button variant={isOn ? 'default' : 'filled'} onClick={() => onTask({ name: 'add', isFirst: !isOn })}>
            {t('add')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => onTask({ name: 'replace' })}>
            {t('replace')}
          </Button>
        )}
        {isOn && (
          <ReasonedButton
            variant="default"
            reason={isRequired ? t('required') : null}
            onClick={() => onTask({ name: 'turnOff' })}
          >
            {t('turnOff')}
          </ReasonedButton>
        )}
      </Group>
      <h3 className={classes.subheading}>{t('passkeys')}</h3>
      <Text>{t('passkeysText')}</Text>
      {passkeys.length > 0 && (
        <PasskeyTable
          passkeys={passkeys}
          keptBecause={isRequired && isLast ? t('required') : null}
          onRemove={({ id }) => onTask({ name: 'removePasskey', id, isLast })}
        />
      )}
      <Group>
        <ReasonedButton
          variant="default"
          reason={noPasskeys}
          onClick={() => onTask({ name: 'addPasskey', isFirst: !isOn })}
        >
          {t('addPasskey')}
        </ReasonedButton>
      </Group>
    </Stack>
  );
}

function RenewForm({ onCodes, onCancel }: { onCodes: (codes: string[]) => void; onCancel: () => void }) {
  const t = useTranslations('secondFactor');
  const renew = useRenewCodes();
  const submit = (proof: OwnProof) => renew.mutate(proof, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) });
  return <OwnPasswordForm text={t('renewText')} action={renew} submitLabel={t('renew')} {...{ submit, onCancel }} />;
}

function TurnOffForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('secondFactor');
  const turnOff = useTurnOff();
  const submit = (proof: OwnProof) =>
    turnOff.mutate(proof, {
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
