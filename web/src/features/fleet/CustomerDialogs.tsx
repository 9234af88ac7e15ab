import { Text, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import { type Customer, customerCode, customerUpdate, maxGraceHours } from '../../../../shared/fleet.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { useDisplayZone } from '../../lib/current-user.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogForm, useDialog, useFormRefusal } from '../../ui/DialogForm.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { NewToken, type IssuedToken } from './NewToken.tsx';
import {
  isPreviousValid,
  useCreateCustomer,
  useCustomerFields,
  useDeleteCustomer,
  useRotateToken,
  useSaveCustomer,
} from './queries.ts';

/** What administrators do with customers: what opens each dialog, and the dialogs. */
export function useCustomerDialogs() {
  const t = useTranslations('fleet.customers');
  const editing = useDialog<Customer | null>();
  const rotating = useDialog<Customer>();
  const deleting = useDialog<Customer>();
  const issued = useDialog<IssuedToken>();
  const showToken = (token: IssuedToken) => {
    editing.close();
    rotating.close();
    issued.open(token);
  };
  return {
    onCreate: () => editing.open(null),
    onEdit: editing.open,
    onRotate: rotating.open,
    onDelete: deleting.open,
    dialogs: (
      <>
        <Dialog opened={editing.isOpen} onClose={editing.close} title={t(editing.subject === null ? 'new' : 'edit')}>
          <CustomerForm customer={editing.subject} onCreated={showToken} onDone={editing.close} />
        </Dialog>
        <Dialog opened={rotating.isOpen} onClose={rotating.close} title={t('rotate')}>
          {rotating.subject !== null && (
            <RotateForm customer={rotating.subject} onRotated={showToken} onCancel={rotating.close} />
          )}
        </Dialog>
        <Dialog
          opened={issued.isOpen}
          onClose={issued.close}
          size="lg"
          isFirm
          title={t('tokenTitle', { name: issued.subject?.name ?? '' })}
        >
          {issued.subject !== null && <NewToken issued={issued.subject} onDone={issued.close} />}
        </Dialog>
        {deleting.subject !== null && (
          <DeleteCustomerDialog customer={deleting.subject} opened={deleting.isOpen} onClose={deleting.close} />
        )}
      </>
    ),
  };
}

/** Deactivates a customer, or activates it. */
export function useSwitchCustomer() {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const errorText = useErrorText();
  const save = useSaveCustomer();
  const switchOver = (customer: Customer) => {
    const { name, isActive } = customer;
    save.mutate(
      { seen: customer, values: { name, isActive: !isActive } },
      {
        onSuccess: (saved) =>
          notifications.show({ color: 'green', message: t(saved.isActive ? 'switchedOn' : 'switchedOff', { name }) }),
        onError: (error) =>
          notifications.show({ color: 'red', message: tTerms('failed', { reason: errorText(error) }) }),
      },
    );
  };
  return { switchOver, isSwitching: save.isPending };
}

interface DeleteCustomerDialogProps {
  customer: Customer;
  opened: boolean;
  onClose: () => void;
}

function DeleteCustomerDialog({ customer, opened, onClose }: DeleteCustomerDialogProps) {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const remove = useDeleteCustomer();
  const { name } = customer;
  return (
    <ConfirmByName
      opened={opened}
      title={t('delete')}
      name={name}
      onConfirm={() => remove.mutateAsync(customer)}
      done={tTerms('deleted', { name })}
      onClose={onClose}
    >
      {t('deleteText', { name })}
    </ConfirmByName>
  );
}

interface RotateFormProps {
  customer: Customer;
  onRotated: (issued: IssuedToken) => void;
  onCancel: () => void;
}

/** Gives a customer a new token, and says how long the one before it is still good for. */
function RotateForm({ customer, onRotated, onCancel }: RotateFormProps) {
  const t = useTranslations('fleet.customers');
  const format = useFormat();
  const zone = useDisplayZone();
  const nowMs = useNow(10_000);
  const rotate = useRotateToken();
  const { name, previousTokenExpiresAt } = customer;
  const read = (text: string) => readDecimal(text, format.decimalSeparator);
  const form = useForm({
    initialValues: { graceHours: '' },
    validate: {
      graceHours: (text) => {
        const hours = read(text);
        const isValid = hours === null || (hours !== undefined && hours >= 0 && hours <= maxGraceHours);
        return isValid ? null : t('graceHoursInvalid', { max: maxGraceHours });
      },
    },
  });
  const refusal = useFormRefusal(form, ['graceHours']);
  const submit = refusal.onSubmit(({ graceHours }) =>
    rotate.mutate(
      { id: customer.id, graceHours: read(graceHours) ?? null },
      {
        onSuccess: ({ token, ...rotated }) => onRotated({ name, token, rotated }),
        onError: (error) => refusal.show(error),
      },
    ),
  );

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={t('rotate')}
      isPending={rotate.isPending}
      onCancel={onCancel}
    >
      <Text>{t('rotateText', { name })}</Text>
      {previousTokenExpiresAt !== null && isPreviousValid(customer, nowMs) && (
        <Text>{t('rotateEndsPrevious', { time: format.dateTime(previousTokenExpiresAt, zone) })}</Text>
      )}
      <NumberField
        {...form.getInputProps('graceHours')}
        value={form.values.graceHours}
        data-autofocus
        label={t('graceHours')}
        description={t('graceHoursHint', { max: maxGraceHours })}
        unit={t('hours')}
      />
    </DialogForm>
  );
}

interface CustomerFormProps {
  /** Null creates a new one. */
  customer: Customer | null;
  onCreated: (issued: IssuedToken) => void;
  onDone: () => void;
}

/** Creates a customer, whose code never changes, or changes its name and whether it may push. */
function CustomerForm({ customer, onCreated, onDone }: CustomerFormProps) {
  const t = useTranslations('fleet.customers');
  const tAll = useTranslations();
  const create = useCreateCustomer();
  const save = useSaveCustomer();
  const { text, toggle, dialog } = useRecordForm({
    seen: customer,
    initialValues: { name: customer?.name ?? '', code: customer?.code ?? '', isActive: customer?.isActive ?? true },
    schema: customerUpdate,
    check: ({ code }) => {
      // What is taken already the server tells.
      const issues = customer === null ? customerCode.safeParse(code).error?.issues : undefined;
      return { code: issues?.some((issue) => issue.code === 'invalid_format') === true ? t('codeInvalid') : null };
    },
    labels: { ...useCustomerFields(), code: { label: t('code') } },
    save: async ({ code, name, isActive }, seen) => {
      if (seen !== null) return { saved: await save.mutateAsync({ seen, values: { name, isActive } }), token: null };
      const { customer: saved, token } = await create.mutateAsync({ code, name });
      return { saved, token };
    },
    said: ({ saved: { name }, token }) => (token === null ? tAll('terms.saved', { name }) : null),
    onSaved: ({ saved: { name }, token }) => (token === null ? onDone() : onCreated({ name, token, rotated: null })),
    onCancel: onDone,
    createLabel: t('create'),
  });

  return (
    <DialogForm {...dialog}>
      <TextInput {...text('name')} data-autofocus />
      {customer === null ? (
        <TextInput
          {...text('code')}
          description={t('codeHint')}
          maxLength={39}
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : (
        <Switch {...toggle('isActive')} description={t('activeHint')} />
      )}
    </DialogForm>
  );
}
