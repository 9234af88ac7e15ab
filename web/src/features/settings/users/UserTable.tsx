import { Badge, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconBuildings,
  IconKey,
  IconLockOpen,
  IconMail,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconShieldOff,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { User } from '../../../../../shared/accounts.ts';
import { mailOfferQuery } from '../../../lib/app-info.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useNow } from '../../../lib/use-now.ts';
import { Age } from '../../../ui/Age.tsx';
import { ListTable } from '../../../ui/ListTable.tsx';
import type { Column } from '../../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../../ui/RowMenu.tsx';
import { instantOf } from '../../../ui/sorted-rows.ts';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import { useSwitch } from '../../../ui/use-record-form.ts';
import { useInvite, useSaveUser, useUnlockUser } from './users-query.ts';
import classes from './UserTable.module.css';
import { useDisplayZone } from '../../../lib/current-user.ts';

interface UserTableProps {
  users: readonly User[];
  /** The signed-in user's own account, which they cannot deactivate or delete. */
  isOwn: (user: User) => boolean;
  onEdit: (user: User) => void;
  onResetPassword: (user: User) => void;
  onDelete: (user: User) => void;
  onResetSecondFactor: (user: User) => void;
  /** Absent if there are no customers to assign. */
  onAssign?: (user: User) => void;
}

/** Whether the assigned customers determine what a user sees. */
export const isRestricted = ({ roles }: User): boolean => roles.includes('RestrictedAdmin') && !roles.includes('Admin');

const isLocked = ({ lockedUntil }: User, nowMs: number) => lockedUntil !== null && Date.parse(lockedUntil) > nowMs;

export function UserTable({ users, isOwn, ...actions }: UserTableProps) {
  const t = useTranslations('settings.users');
  const tTerms = useTranslations('terms');
  const tRole = useTranslations('settings.roles');
  const tCommon = useTranslations('common');
  const nowMs = useNow(10_000);

  const columns: Column<User>[] = [
    {
      id: 'name',
      header: t('columns.user'),
      kind: 'name',
      sortBy: ({ displayName }) => displayName,
      renderCell: (user) => (
        <span className={classes.user}>
          <span className={classes.name}>
            {user.displayName}
            {isOwn(user) && <span className={classes.you}> ({t('you')})</span>}
          </span>
          <span className={classes.email}>{user.email}</span>
        </span>
      ),
    },
    {
      id: 'role',
      header: t('columns.role'),
      sortBy: ({ roles }) => roles.join(' ') || null,
      renderCell: ({ roles }) =>
        roles.length === 0
          ? tRole('none')
          : roles.map((role) => (
              <Badge key={role} color="secondary">
                {tRole(role)}
              </Badge>
            )),
    },
    {
      id: 'status',
      header: t('columns.status'),
      renderCell: (user) => (
        <span className={classes.status}>
          <Status user={user} nowMs={nowMs} />
          {user.hasSecondFactor && <span className={classes.dimmed}>{t('withSecondFactor')}</span>}
        </span>
      ),
    },
    {
      id: 'lastSignIn',
      header: t('columns.lastSignIn'),
      sortBy: ({ lastLoginAt }) => instantOf(lastLoginAt),
      renderCell: ({ lastLoginAt }) =>
        lastLoginAt === null ? <span className={classes.dimmed}>{tTerms('never')}</span> : <Age at={lastLoginAt} />,
    },
    {
      id: 'actions',
      header: tCommon('actions'),
      kind: 'actions',
      renderCell: (user) => <UserMenu user={user} isOwn={isOwn(user)} isLocked={isLocked(user, nowMs)} {...actions} />,
    },
  ];
  return (
    <ListTable
      label={t('description')}
      columns={columns}
      rows={users}
      rowKey={({ id }) => id}
      textOf={({ displayName, email }) => `${displayName} ${email}`}
    />
  );
}

function Status({ user, nowMs }: { user: User; nowMs: number }) {
  const t = useTranslations('settings.users.status');
  const tTerms = useTranslations('terms');
  const format = useFormat();
  const zone = useDisplayZone();
  if (!user.isActive) return <StatusChip tone="quiet">{t('off')}</StatusChip>;
  if (user.lockedUntil !== null && isLocked(user, nowMs)) {
    return <StatusChip tone="warn">{t('locked', { time: format.time(user.lockedUntil, zone) })}</StatusChip>;
  }
  return <StatusChip tone="good">{tTerms('active')}</StatusChip>;
}

interface UserMenuProps extends Omit<UserTableProps, 'users' | 'isOwn'> {
  user: User;
  isOwn: boolean;
  isLocked: boolean;
}

function UserMenu({
  user,
  isOwn,
  isLocked: mayUnlock,
  onEdit,
  onResetPassword,
  onDelete,
  onAssign,
  onResetSecondFactor,
}: UserMenuProps) {
  const t = useTranslations('settings.users');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  const save = useSaveUser();
  const unlock = useUnlockUser();
  const invite = useInvite();
  const mayInvite = useQuery(mailOfferQuery).data?.isOffered === true && !isOwn && user.isActive;
  const name = user.displayName;
  const SwitchIcon = user.isActive ? IconPlayerPause : IconPlayerPlay;
  const onError = (error: unknown) =>
    notifications.show({ color: 'red', message: tTerms('failed', { reason: errorText(error) }) });

  const { email, displayName, roles, isActive } = user;
  const switchOver = useSwitch(save, (saved) =>
    saved.isActive ? t('switchedOn', { name }) : tTerms('switchedOff', { name }),
  );
  const openLock = () =>
    unlock.mutate(user.id, {
      onSuccess: () => notifications.show({ color: 'green', message: t('switchedOn', { name }) }),
      onError,
    });

  return (
    <RowMenu label={tTerms('actionsFor', { name })}>
      <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(user)}>
        {tCommon('edit')}
      </Menu.Item>
      {!isOwn && (
        <Menu.Item leftSection={<IconKey size={16} stroke={1.75} />} onClick={() => onResetPassword(user)}>
          {t('resetPassword')}
        </Menu.Item>
      )}
      {mayInvite && (
        <Menu.Item leftSection={<IconMail size={16} stroke={1.75} />} onClick={() => invite(user)}>
          {t('sendInvitation')}
        </Menu.Item>
      )}
      {!isOwn && user.hasSecondFactor && (
        <Menu.Item leftSection={<IconShieldOff size={16} stroke={1.75} />} onClick={() => onResetSecondFactor(user)}>
          {t('resetSecondFactor')}
        </Menu.Item>
      )}
      {onAssign !== undefined && isRestricted(user) && (
        <Menu.Item leftSection={<IconBuildings size={16} stroke={1.75} />} onClick={() => onAssign(user)}>
          {t('assignCustomers')}
        </Menu.Item>
      )}
      {mayUnlock && (
        <Menu.Item leftSection={<IconLockOpen size={16} stroke={1.75} />} onClick={openLock}>
          {t('unlock')}
        </Menu.Item>
      )}
      {!isOwn && (
        <>
          <Menu.Item
            leftSection={<SwitchIcon size={16} stroke={1.75} />}
            onClick={() => switchOver(user, { email, displayName, roles, isActive })}
          >
            {tTerms(user.isActive ? 'switchOff' : 'switchOn')}
          </Menu.Item>
          <DeleteItem onClick={() => onDelete(user)}>{tCommon('delete')}</DeleteItem>
        </>
      )}
    </RowMenu>
  );
}
