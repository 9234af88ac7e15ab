import { Autocomplete, Text, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { type Customer, customerCode, customerUpdate, maxGraceHours } from '../../../../shared/fleet.ts';
import { customersQuery } from '../../entities/customers.ts';
import { readDecimal } from '../../lib/decimal.ts';
import { useDisplayZone } from '../../lib/current-user.ts';
import { maxLengthOf } from '../../lib/records.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogForm, useDialog, useFormRefusal } from '../../ui/DialogForm.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { useRecordForm, useSwitch } from '../../ui/use-record-form.ts';
import { NewToken, type IssuedToken } from './NewToken.tsx';
import { type IssuedTokens, NewTokens, PasteForm, type Pasted } from './PasteCustomers.tsx';
import { proposeCode } from './customer-rows.ts';
import {
  isPreviousValid,
  useCreateCustomer,
  useCustomerFields,
  useDeleteCustomer,
  useRotateToken,
  useSaveCustomer,
} from './queries.ts';

/** The actions of administrators on customers: functions that open the dialogs, and the dialogs themselves. */
export function useCustomerDialogs() {
  const t = useTranslations('fleet.customers');
  // Left out on a page without a list of customers.
  const customers = useQuery({ ...customersQuery, enabled: false });
  const editing = useDialog<Customer | null>();
  const rotating = useDialog<Customer>();
  const deleting = useDialog<Customer>();
  const issued = useDialog<IssuedToken>();
  const pasting = useDialog<Pasted>();
  const issuedAll = useDialog<IssuedTokens>();
  const showToken = (token: IssuedToken) => {
    editing.close();
    rotating.close();
    issued.open(token);
  };
  return {
    onCreate: () => editing.open(null),
    onPaste: () => pasting.open({ text: '', refusals: new Map() }),
    onEdit: editing.open,
    onRotate: rotating.open,
    onDelete: deleting.open,
    dialogs: (
      <>
        <Dialog opened={editing.isOpen} onClose={editing.close} title={t(editing.subject === null ? 'new' : 'edit')}>
          <CustomerForm
            customer={editing.subject}
            customers={customers.data ?? []}
            onCreated={showToken}
            onDone={editing.close}
          />
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
        <Dialog opened={pasting.isOpen} onClose={pasting.close} size="xl" title={t('paste.title')}>
          {pasting.subject !== null && (
            <PasteForm
              pasted={pasting.subject}
              customers={customers.data ?? []}
              onCreated={(tokens) => {
                pasting.close();
                issuedAll.open(tokens);
              }}
              onCancel={pasting.close}
            />
          )}
        </Dialog>
        <Dialog
          opened={issuedAll.isOpen}
          onClose={issuedAll.close}
          size="lg"
          isFirm
          title={t('paste.tokensTitle', { count: issuedAll.subject?.lines.length ?? 0 })}
        >
          {issuedAll.subject !== null && (
            <NewTokens
              issued={issuedAll.subject}
              onDone={() => {
                issuedAll.close();
                const left = issuedAll.subject?.left ?? null;
                if (left !== null) pasting.open(left);
              }}
            />
          )}
        </Dialog>
        {deleting.subject !== null && (
          <DeleteCustomerDialog customer={deleting.subject} opened={deleting.isOpen} onClose={deleting.close} />
        )}
      </>
    ),
  };
}

/** Deactivates or activates a customer. */
export function useSwitchCustomer() {
  const t = useTranslations('fleet.customers');
  const save = useSaveCustomer();
  const change = useSwitch(save, ({ name, isActive }) => t(isActive ? 'switchedOn' : 'switchedOff', { name }));
  const switchOver = (customer: Customer) => {
    const { name, isActive, group, notes } = customer;
    change(customer, { name, isActive, group, notes });
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

/** Gives a customer a new token, and says how long the previous token stays valid. */
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
  /** The groups that exist. */
  customers: readonly Customer[];
  onCreated: (issued: IssuedToken) => void;
  onDone: () => void;
}

/** Creates a customer, whose code never changes later. Or changes its name and whether it may push. */
function CustomerForm({ customer, customers, onCreated, onDone }: CustomerFormProps) {
  const t = useTranslations('fleet.customers');
  const tAll = useTranslations();
  const create = useCreateCustomer();
  const save = useSaveCustomer();
  // The code follows the name until the user types a code.
  const hasOwnCode = useRef(false);
  const { form, text, choice, toggle, dialog } = useRecordForm({
    seen: customer,
    initialValues: {
      name: customer?.name ?? '',
      code: customer?.code ?? '',
      isActive: customer?.isActive ?? true,
      group: customer?.group ?? '',
      notes: customer?.notes ?? '',
    },
    schema: customerUpdate,
    toWrite: writtenOf,
    check: ({ code }) => {
      // The server reports codes that are taken already.
      const issues = customer === null ? customerCode.safeParse(code).error?.issues : undefined;
      return { code: issues?.some((issue) => issue.code === 'invalid_format') === true ? t('codeInvalid') : null };
    },
    labels: { ...useCustomerFields(), code: { label: t('code') } },
    save: async ({ code, ...typed }, seen) => {
      const { isActive, ...values } = writtenOf(typed);
      if (seen !== null) {
        return { saved: await save.mutateAsync({ seen, values: { ...values, isActive } }), token: null };
      }
      const { customer: saved, token } = await create.mutateAsync({ code, ...values });
      return { saved, token };
    },
    said: ({ saved: { name }, token }) => (token === null ? tAll('terms.saved', { name }) : null),
    onSaved: ({ saved: { name }, token }) => (token === null ? onDone() : onCreated({ name, token, rotated: null })),
    onCancel: onDone,
    createLabel: t('create'),
  });

  const { compare } = useFormat();
  const taken = new Set(customers.map(({ code }) => code));
  return (
    <DialogForm {...dialog}>
      <TextInput
        {...text('name')}
        data-autofocus
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue('name', value);
          if (customer === null && !hasOwnCode.current) form.setFieldValue('code', proposeCode(value, taken));
        }}
      />
      {customer === null ? (
        <TextInput
          {...text('code')}
          onChange={({ currentTarget: { value } }) => {
            hasOwnCode.current = value !== '';
            form.setFieldValue('code', value);
          }}
          description={t('codeHint')}
          maxLength={39}
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : (
        <Switch {...toggle('isActive')} description={t('activeHint')} />
      )}
      <Autocomplete
        {...choice('group')}
        description={t('groupHint')}
        data={[...new Set(customers.flatMap(({ group }) => group ?? []))].toSorted(compare)}
        maxLength={maxLengthOf(customerUpdate.shape.group) ?? 0}
        autoComplete="off"
      />
      <Textarea {...text('notes')} autosize minRows={2} maxRows={6} />
    </DialogForm>
  );
}

/** What is left empty there is not. */
const writtenOf = ({ group, notes, ...values }: { name: string; isActive: boolean; group: string; notes: string }) => ({
  ...values,
  group: group.trim() === '' ? null : group,
  notes: notes.trim() === '' ? null : notes,
});
