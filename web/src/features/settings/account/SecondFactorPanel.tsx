import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState, lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { OwnProof, OwnSecondFactor, ListedPasskey } from '../../../../../shared/passkeys.ts';
import { mayHavePasskeys } from '../../../lib/passkeys.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { ReasonedButton } from '../../../ui/ReasonedButton.tsx';
import { RowsSkeleton, BlockSkeleton } from '../../../ui/Skeletons.tsx';
import { RecoveryCodes } from '../../../ui/second-factor/RecoveryCodes.tsx';
import { OwnPasswordForm } from './OwnPasswordForm.tsx';
import classes from '../section.module.css';
import {
  isSecondFactorOn,
  secondFactorQuery,
  useRenewCodes,
  useTurnOff,
  useAddApp,
  useBeginApp,
  useAddPasskey,
  useRemovePasskey,
} from './second-factor-query.ts';
import { useErrorText, fieldRefusal } from '../../../lib/error-text.ts';
import { loadCode } from '../../../lib/load-code.ts';
import { FormError, useDialog } from '../../../ui/DialogForm.tsx';
import { ResponsiveTable, type Column } from '../../../ui/ResponsiveTable.tsx';
import { PasskeyNameField } from '../../../ui/second-factor/CodeField.tsx';
import { useDisplayZone } from '../../../lib/current-user.ts';

// Also loads the code that draws the picture.
const NewAppForm = lazy(
  loadCode(async () => ({ default: (await import('../../../ui/second-factor/NewAppForm.tsx')).NewAppForm })),
);

interface AddAppFormProps {
  /** The effects of adding it. */
  text: string;
  onCodes: (codes: string[]) => void;
  onCancel: () => void;
}

/** Adds an authenticator app: the password, then the first code of the app. */
function AddAppForm({ text, onCodes, onCancel }: AddAppFormProps) {
  const tOwn = useTranslations('settings.secondFactor');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  const begin = useBeginApp();
  const add = useAddApp();
  if (begin.data === undefined) {
    return (
      <OwnPasswordForm
        text={text}
        action={begin}
        submit={(proof) => begin.mutate(proof)}
        submitLabel={tOwn('goOn')}
        onCancel={onCancel}
      />
    );
  }
  const { token, newApp } = begin.data;
  const isWrongCode = fieldRefusal(add.error, ['code']) !== null;
  const refusal = add.error === null ? null : isWrongCode ? tOwn('notOfNewApp') : errorText(add.error);
  const finish = (code: string) =>
    add.mutate(
      { token, code },
      {
        onSuccess: ({ recoveryCodes }) => {
          notifications.show({ color: 'green', message: tOwn('turnedOn') });
          onCodes(recoveryCodes);
        },
      },
    );
  return (
    <Suspense fallback={<BlockSkeleton height={420} />}>
      <NewAppForm
        newApp={newApp}
        isPending={add.isPending}
        refusal={<FormError>{refusal}</FormError>}
        onCode={finish}
        cancelLabel={tCommon('cancel')}
        onCancel={onCancel}
      />
    </Suspense>
  );
}

type Task =
  | { name: 'replace' | 'renew' | 'turnOff' }
  | { name: 'add' | 'addPasskey'; isFirst: boolean }
  | { name: 'removePasskey'; id: string; isLast: boolean };

/** The signed-in user's second factor: an app, passkeys, recovery codes. */
export function SecondFactorPanel() {
  const t = useTranslations('secondFactor');
  const tOwn = useTranslations('settings.secondFactor');
  const own = useQuery(secondFactorQuery);
  const task = useDialog<Task>();
  // Only its own button closes this dialog, because codes are shown only once.
  const [codes, setCodes] = useState<string[] | null>(null);
  const close = () => {
    task.close();
    setCodes(null);
  };
  const { subject } = task;
  return (
    <Panel title={t('title')} description={tOwn('description')}>
      <Loaded queries={[own]} skeleton={<RowsSkeleton rows={5} />}>
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
          <AddAppForm text={tOwn('replaceText')} onCodes={setCodes} onCancel={close} />
        ) : subject?.name === 'add' ? (
          <AddAppForm text={tOwn(subject.isFirst ? 'firstText' : 'addText')} onCodes={setCodes} onCancel={close} />
        ) : subject?.name === 'renew' ? (
          <RenewForm onCodes={setCodes} onCancel={close} />
        ) : subject?.name === 'addPasskey' ? (
          <AddPasskeyForm
            text={tOwn(subject.isFirst ? 'firstText' : 'addPasskeyText')}
            onCodes={setCodes}
            onDone={close}
          />
        ) : subject?.name === 'removePasskey' ? (
          <RemovePasskeyForm
            id={subject.id}
            text={tOwn(subject.isLast ? 'removeLastText' : 'removePasskeyText')}
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
  const tOwn = useTranslations('settings.secondFactor');
  const format = useFormat();
  const zone = useDisplayZone();
  const { appAddedAt, passkeys, recoveryCodesLeft, isRequired } = own;
  const isOn = isSecondFactorOn(own);
  const isLast = appAddedAt === null && passkeys.length === 1;
  const noPasskeys = mayHavePasskeys() ? null : tOwn('noPasskeysHere', { host: window.location.host });
  return (
    <Stack gap="md">
      <Text>
        {isOn
          ? [
              ...(appAddedAt === null ? [] : [tOwn('on', { day: format.date(appAddedAt, zone) })]),
              tOwn('codesLeft', { count: recoveryCodesLeft }),
            ].join(' ')
          : tOwn('off')}
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
  const tOwn = useTranslations('settings.secondFactor');
  const renew = useRenewCodes();
  const submit = (proof: OwnProof) => renew.mutate(proof, { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) });
  return <OwnPasswordForm text={tOwn('renewText')} action={renew} submitLabel={t('renew')} {...{ submit, onCancel }} />;
}

function TurnOffForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('secondFactor');
  const tOwn = useTranslations('settings.secondFactor');
  const turnOff = useTurnOff();
  const submit = (proof: OwnProof) =>
    turnOff.mutate(proof, {
      onSuccess: () => {
        notifications.show({ color: 'green', message: tOwn('turnedOff') });
        onDone();
      },
    });
  return (
    <OwnPasswordForm
      text={tOwn('turnOffText')}
      action={turnOff}
      submitLabel={t('turnOff')}
      color="red"
      submit={submit}
      onCancel={onDone}
    />
  );
}

interface PasskeyTableProps {
  passkeys: readonly ListedPasskey[];
  /** Why no passkey can be removed; null if they can be. */
  keptBecause: string | null;
  onRemove: (passkey: ListedPasskey) => void;
}

/** The user's passkeys. A passkey for another address of the portal is marked. */
function PasskeyTable({ passkeys, keptBecause, onRemove }: PasskeyTableProps) {
  const t = useTranslations('secondFactor');
  const tOwn = useTranslations('settings.secondFactor');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const zone = useDisplayZone();
  const day = (at: string) => <time dateTime={at}>{format.date(at, zone)}</time>;
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
              {tOwn('ofHost', { host })}
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
          aria-label={tOwn('removePasskeyNamed', { name: passkey.name })}
          onClick={() => onRemove(passkey)}
        >
          {t('removePasskey')}
        </ReasonedButton>
      ),
    },
  ];
  return <ResponsiveTable label={t('passkeys')} columns={columns} rows={passkeys} rowKey={({ id }) => id} />;
}

interface AddPasskeyFormProps {
  /** The effects of adding it. */
  text: string;
  /** Recovery codes, returned with the first second factor. */
  onCodes: (codes: string[]) => void;
  onDone: () => void;
}

/** Adds a passkey: its name and the proof of the account, then the device asks. */
function AddPasskeyForm({ text, onCodes, onDone }: AddPasskeyFormProps) {
  const tOwn = useTranslations('settings.secondFactor');
  const add = useAddPasskey();
  const [name, setName] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const submit = (proof: OwnProof) => {
    setIsChecked(true);
    if (name.trim() === '') return;
    add.mutate(
      { name, proof },
      {
        onSuccess: ({ recoveryCodes }) => {
          notifications.show({ color: 'green', message: tOwn('passkeyAdded') });
          if (recoveryCodes === null) onDone();
          else onCodes(recoveryCodes);
        },
      },
    );
  };
  return (
    <OwnPasswordForm text={text} action={add} submitLabel={tOwn('goOn')} submit={submit} onCancel={onDone}>
      <PasskeyNameField {...{ name, isChecked }} onName={setName} />
    </OwnPasswordForm>
  );
}

function RemovePasskeyForm({ id, text, onDone }: { id: string; text: string; onDone: () => void }) {
  const t = useTranslations('secondFactor');
  const tOwn = useTranslations('settings.secondFactor');
  const remove = useRemovePasskey(id);
  const submit = (proof: OwnProof) =>
    remove.mutate(proof, {
      onSuccess: () => {
        notifications.show({ color: 'green', message: tOwn('passkeyRemoved') });
        onDone();
      },
    });
  return (
    <OwnPasswordForm
      text={text}
      action={remove}
      submitLabel={t('removePasskey')}
      color="red"
      submit={submit}
      onCancel={onDone}
    />
  );
}
