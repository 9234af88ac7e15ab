import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { OwnProof } from '../../../../shared/passkeys.ts';
import { PasskeyNameField } from '../../ui/second-factor/PasskeyNameField.tsx';
import { OwnPasswordForm } from './OwnPasswordForm.tsx';
import { useAddPasskey, useRemovePasskey } from './second-factor-query.ts';

interface AddPasskeyFormProps {
  /** What adding it changes. */
  text: string;
  /** With the first second factor. */
  onCodes: (codes: string[]) => void;
  onDone: () => void;
}

/** Adds a passkey: its name and what proves the account, then the device asks. */
export function AddPasskeyForm({ text, onCodes, onDone }: AddPasskeyFormProps) {
  const t = useTranslations('secondFactor');
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
          notifications.show({ color: 'green', message: t('passkeyAdded') });
          if (recoveryCodes === null) onDone();
          else onCodes(recoveryCodes);
        },
      },
    );
  };
  return (
    <OwnPasswordForm text={text} action={add} submitLabel={t('goOn')} submit={submit} onCancel={onDone}>
      <PasskeyNameField {...{ name, isChecked }} onName={setName} />
    </OwnPasswordForm>
  );
}

export function RemovePasskeyForm({ id, text, onDone }: { id: string; text: string; onDone: () => void }) {
  const t = useTranslations('secondFactor');
  const remove = useRemovePasskey(id);
  const submit = (proof: OwnProof) =>
    remove.mutate(proof, {
      onSuccess: () => {
        notifications.show({ color: 'green', message: t('passkeyRemoved') });
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
