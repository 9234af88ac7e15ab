import { Menu } from '@mantine/core';
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import type { Customer, RegisteredCustomer } from '../../../../shared/fleet.ts';
import { customerStates } from '../../../../shared/states.rules.ts';
import { useFormat } from '../../lib/use-format.ts';
import { useNow } from '../../lib/use-now.ts';
import { Age } from '../../ui/Age.tsx';
import { ListTable } from '../../ui/ListTable.tsx';
import type { Column } from '../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../ui/RowMenu.tsx';
import { instantOf } from '../../ui/sorted-rows.ts';
import { CustomerStateChip } from '../../entities/CustomerStateChip.tsx';
import { StatusChip } from '../../ui/StatusChip.tsx';
import { CustomerName } from './CustomerName.tsx';
import { useSwitchCustomer } from './CustomerDialogs.tsx';
import { isPreviousValid } from './queries.ts';
import classes from './Fleet.module.css';
import { useDisplayZone } from '../../lib/current-user.ts';

interface CustomerActions {
  onEdit: (customer: Customer) => void;
  onRotate: (customer: Customer) => void;
  onDelete: (customer: Customer) => void;
}

interface CustomerTableProps extends CustomerActions {
  customers: readonly RegisteredCustomer[];
}

/** The registry, one customer per row. */
export function CustomerTable({ customers, ...actions }: CustomerTableProps) {
  const t = useTranslations('fleet.customers');
  const tCustomer = useTranslations('fleet.customer');
  const tTerms = useTranslations('terms');
  const tShell = useTranslations('shell');
  const tCommon = useTranslations('common');
  const columns: Column<RegisteredCustomer>[] = [
    {
      id: 'customer',
      header: tTerms('customer'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: (customer) => <CustomerName customer={customer} />,
    },
    {
      id: 'state',
      header: tTerms('state'),
      sortBy: ({ state }) => -customerStates.indexOf(state),
      renderCell: ({ state }) => <CustomerStateChip state={state} />,
    },
    {
      id: 'group',
      header: t('group'),
      isMinor: true,
      sortBy: ({ group }) => group,
      renderCell: ({ group }) => group,
    },
    {
      id: 'lastSeen',
      header: tTerms('lastBatchStored'),
      sortBy: ({ lastSeenAt }) => instantOf(lastSeenAt),
      renderCell: ({ lastSeenAt }) => (lastSeenAt === null ? null : <Age at={lastSeenAt} />),
    },
    {
      id: 'inStep',
      header: tTerms('inStepUpTo'),
      isMinor: true,
      renderCell: (customer) => <InStep customer={customer} />,
    },
    { id: 'token', header: tCustomer('token'), renderCell: (customer) => <TokenState customer={customer} /> },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (customer) => <CustomerMenu customer={customer} {...actions} />,
    },
  ];
  return (
    <ListTable
      label={tShell('customers')}
      columns={columns}
      rows={customers}
      rowKey={({ id }) => id}
      textOf={({ name, code, group }) => `${name} ${code} ${group ?? ''}`}
      searchLabel={tTerms('searchCustomers')}
    />
  );
}

function InStep({ customer: { inStepUpTo, differingDays } }: { customer: Customer }) {
  const tTerms = useTranslations('terms');
  const tPush = useTranslations('push');
  const format = useFormat();
  const zone = useDisplayZone();
  if (inStepUpTo === null) return <span className={classes.quiet}>{tPush('comparison.never')}</span>;
  return (
    <span className={classes.token}>
      {format.dateTime(inStepUpTo, zone)}
      {(differingDays ?? 0) > 0 && (
        <StatusChip tone="warn">{tTerms('butFor', { count: differingDays ?? 0 })}</StatusChip>
      )}
    </span>
  );
}

function TokenState({ customer }: { customer: Customer }) {
  const t = useTranslations('fleet.customers');
  const format = useFormat();
  const zone = useDisplayZone();
  const nowMs = useNow(10_000);
  const { tokenIssuedAt, previousTokenExpiresAt: until } = customer;
  return (
    <span className={classes.token}>
      <time dateTime={tokenIssuedAt} title={format.dateTime(tokenIssuedAt, zone)}>
        {t('tokenIssued', { age: format.age(tokenIssuedAt, nowMs) })}
      </time>
      {until !== null &&
        (isPreviousValid(customer, nowMs) ? (
          <StatusChip tone="warn">{t('previousUntil', { time: format.dateTime(until, zone) })}</StatusChip>
        ) : (
          <span className={classes.quiet}>{t('previousEnded', { age: format.age(until, nowMs) })}</span>
        ))}
    </span>
  );
}

function CustomerMenu({ customer, onEdit, onRotate, onDelete }: CustomerActions & { customer: Customer }) {
  const t = useTranslations('fleet.customers');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const { switchOver } = useSwitchCustomer();
  const { name, isActive } = customer;
  const SwitchIcon = isActive ? IconPlayerPause : IconPlayerPlay;
  return (
    <RowMenu label={tTerms('actionsFor', { name })}>
      <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(customer)}>
        {tCommon('edit')}
      </Menu.Item>
      <Menu.Item leftSection={<IconRefresh size={16} stroke={1.75} />} onClick={() => onRotate(customer)}>
        {t('rotate')}
      </Menu.Item>
      <Menu.Item leftSection={<SwitchIcon size={16} stroke={1.75} />} onClick={() => switchOver(customer)}>
        {tTerms(isActive ? 'switchOff' : 'switchOn')}
      </Menu.Item>
      <DeleteItem onClick={() => onDelete(customer)}>{tCommon('delete')}</DeleteItem>
    </RowMenu>
  );
}
