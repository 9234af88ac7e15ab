import { notifications } from '@mantine/notifications';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../../lib/error-text.ts';
import { fieldRefusal } from '../../lib/field-refusal.ts';
import { loadCode } from '../../lib/load-code.ts';
import { FormError } from '../../ui/FormError.tsx';
import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { OwnPasswordForm } from './OwnPasswordForm.tsx';
import { useAddApp, useBeginApp } from './second-factor-query.ts';

// It brings what draws the picture.
const NewAppForm = lazy(
  loadCode(async () => ({ default: (await import('../../ui/second-factor/NewAppForm.tsx')).NewAppForm })),
);

interface AddAppFormProps {
  /** What adding it changes. */
  text: string;
  onCodes: (codes: string[]) => void;
  onCancel: () => void;
}

/** Adds an authenticator app: the password, then the first code of the app. */
export function AddAppForm({ text, onCodes, onCancel }: AddAppFormProps) {
  const t = useTranslations('secondFactor');
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
        submitLabel={t('goOn')}
        onCancel={onCancel}
      />
    );
  }
  const { token, newApp } = begin.data;
  const isWrongCode = fieldRefusal(add.error, ['code']) !== null;
  const refusal = add.error === null ? null : isWrongCode ? t('notOfNewApp') : errorText(add.error);
  const finish = (code: string) =>
    add.mutate(
      { token, code },
      {
        onSuccess: ({ recoveryCodes }) => {
          notifications.show({ color: 'green', message: t('turnedOn') });
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
