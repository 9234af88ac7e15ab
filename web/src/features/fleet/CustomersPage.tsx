import { Button } from '@mantine/core';
import { IconBuildings, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Customer } from '../../../../shared/fleet.ts';
import { customersQuery } from '../../lib/customers.ts';
import { useCreates } from '../../lib/creates.ts';
import { browserTimeZone } from '../../lib/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { OnEachSheet } from '../../ui/OnEachSheet.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { CustomerForm } from './CustomerForm.tsx';
import { CustomerTable } from './CustomerTable.tsx';
import { useDeleteCustomer } from './mutations.ts';
import { NewToken, type IssuedToken } from './NewToken.tsx';
import { RotateForm } from './RotateForm.tsx';

/** The registry of customers with their tokens. */
export function CustomersPage() {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const title = useTranslations('shell')('customers');
  const format = useFormat();
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
      {customers.data === undefined ? (
        <Panel>
          {customers.isError ? (
            <ErrorState error={customers.error} onRetry={() => void customers.refetch()} />
          ) : (
            <RowsSkeleton rows={6} height={48} />
          )}
        </Panel>
      ) : customers.data.length === 0 ? (
        <Panel>
          <EmptyState icon={<IconBuildings size={22} stroke={1.75} />} title={tTerms('noCustomers')} action={newButton}>
            {t('emptyText')}
          </EmptyState>
        </Panel>
      ) : (
        <Panel flush>
          <OnEachSheet>{format.dateTime(customers.dataUpdatedAt, browserTimeZone())}</OnEachSheet>
          <CustomerTable
            customers={customers.data}
            onEdit={editing.open}
            onRotate={rotating.open}
            onDelete={deleting.open}
          />
        </Panel>
      )}
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
