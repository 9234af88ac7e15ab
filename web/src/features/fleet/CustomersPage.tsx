import { Button, Text, Switch, TextInput } from '@mantine/core';
import { IconBuildings, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { type Customer, maxGraceHours, customerCode, customerUpdate } from '../../../../shared/fleet.ts';
import { customersQuery } from '../../entities/customers.ts';
import { useCreates } from '../../lib/mutations.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { OnEachSheet } from '../../ui/printing.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { CustomerTable } from './CustomerTable.tsx';
import {
  isPreviousValid,
  useDeleteCustomer,
  useRotateToken,
  useCreateCustomer,
  useCustomerFields,
  useSaveCustomer,
} from './queries.ts';
import { NewToken, type IssuedToken } from './NewToken.tsx';
import { useForm } from '@mantine/form';
import { readDecimal } from '../../lib/decimal.ts';
import { useNow } from '../../lib/use-now.ts';
import { DialogForm, useDialog, useFormRefusal } from '../../ui/DialogForm.tsx';
import { NumberField } from '../../ui/NumberField.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useDisplayZone } from '../../lib/current-user.ts';

/** The registry of customers with their tokens. */
export function CustomersPage() {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const title = useTranslations('shell')('customers');
  const format = useFormat();
  const zone = useDisplayZone();
  const customers = useQuery(customersQuery);
  const editing = useDialog<Customer | null>();
  useCreates(() => editing.open(null));
  const rotating = useDialog<Customer>();
  const deleting = useDialog<Customer>();
  const issued = useDialog<IssuedToken>();
  const newButton = (
    <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => editing.open(null)}>
      {t('new')}
    </Button>
  );
  const showToken = (token: IssuedToken) => {
    editing.close();
    rotating.close();
    issued.open(token);
  };
  const count = customers.data?.length;
  return (
    <>
      <PageHeader
        title={title}
        description={
          count === undefined
            ? '\u00a0'
            : count === 0
              ? undefined
              : t('summary', { count, active: customers.data?.filter(({ isActive }) => isActive).length ?? 0 })
        }
        actions={count === 0 ? undefined : newButton}
      />
      <Loaded inPanel queries={[customers]} skeleton={<RowsSkeleton rows={6} height={48} />}>
        {(all) =>
          all.length === 0 ? (
            <Panel>
              <EmptyState
                icon={<IconBuildings size={22} stroke={1.75} />}
                title={tTerms('noCustomers')}
                action={newButton}
              >
                {t('emptyText')}
              </EmptyState>
            </Panel>
          ) : (
            <Panel flush>
              <OnEachSheet>{format.dateTime(customers.dataUpdatedAt, zone)}</OnEachSheet>
              <CustomerTable customers={all} onEdit={editing.open} onRotate={rotating.open} onDelete={deleting.open} />
            </Panel>
          )
        }
      </Loaded>
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
  );
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
