import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { z } from 'zod';
import {
  role,
  type Role,
  signInPolicy,
  user,
  type User,
  type userCreate,
  type UserUpdate,
} from '../../../../../shared/accounts.ts';
import { userVersion } from '../../../../../shared/versions.ts';
import { usersQuery } from '../../../entities/users.ts';
import { currentUserQuery } from '../../../lib/current-user.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { fetchJson, fetchNothing } from '../../../lib/http.ts';
import { useRenew, useDelete } from '../../../lib/mutations.ts';
import { readFromList, urlUnder, useSaveRecord } from '../../../lib/records.ts';

export type UserCreate = z.input<typeof userCreate>;

/** The changed user may be the signed-in user, whose name the page shows. */
const useRenewUsers = () => useRenew(usersQuery.queryKey, currentUserQuery.queryKey);

const pathOf = (id: string) => `/api/users/${id}`;

export function useCreateUser() {
  return useMutation({
    mutationFn: (json: UserCreate) => fetchJson('/api/users', user, { method: 'POST', json }),
    onSuccess: useRenewUsers(),
  });
}

export function useUserFields() {
  const t = useTranslations();
  const has = (role: Role) => ({
    label: t(`settings.roles.${role}`),
    text: ({ roles }: UserUpdate) => t(roles.includes(role) ? 'common.yes' : 'common.no'),
  });
  return {
    displayName: { label: t('settings.profile.displayName') },
    email: { label: t('settings.profile.email') },
    isAdmin: has('Admin'),
    isRestricted: has('RestrictedAdmin'),
    isActive: { label: t('terms.active') },
  };
}

export const useSaveUser = () =>
  useSaveRecord<UserUpdate, User>({
    urlOf: urlUnder('/api/users'),
    answer: user,
    versionOf: userVersion,
    read: readFromList('/api/users', user),
    fields: useUserFields(),
    renew: useRenewUsers(),
  });

export const useDeleteUser = () => useDelete<User>('/api/users', userVersion, useRenewUsers());

export function useResetPassword() {
  return useMutation({
    mutationFn: ({ id, newPassword }: { id: string; newPassword: string }) =>
      fetchNothing(`${pathOf(id)}/reset-password`, { method: 'POST', json: { newPassword } }),
    onSuccess: useRenewUsers(),
  });
}

/** Sends a link with which a user sets their password, and shows the result. */
export function useInvite() {
  const t = useTranslations();
  const errorText = useErrorText();
  const invite = useMutation({
    mutationFn: ({ id }: User) => fetchNothing(`${pathOf(id)}/invite`, { method: 'POST' }),
    onSuccess: (_, { email }) =>
      notifications.show({ color: 'green', message: t('settings.users.invited', { email }) }),
    onError: (error) => notifications.show({ color: 'red', message: t('terms.failed', { reason: errorText(error) }) }),
  });
  return (user: User) => invite.mutate(user);
}

export function useResetSecondFactor() {
  return useMutation({
    mutationFn: (id: string) => fetchNothing(`${pathOf(id)}/reset-second-factor`, { method: 'POST' }),
    onSuccess: useRenewUsers(),
  });
}

const policyPath = '/api/admin/sign-in-policy';

/** `GET /api/admin/sign-in-policy`. */
export const signInPolicyQuery = queryOptions({
  queryKey: ['sign-in-policy'],
  queryFn: ({ signal }) => fetchJson(policyPath, signInPolicy, { signal }),
});

export function useSaveSignInPolicy() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (json: z.infer<typeof signInPolicy>) => fetchJson(policyPath, signInPolicy, { method: 'PUT', json }),
    onSuccess: (saved) => client.setQueryData(signInPolicyQuery.queryKey, saved),
  });
}

export function useUnlockUser() {
  return useMutation({
    mutationFn: (id: string) => fetchNothing(`${pathOf(id)}/unlock`, { method: 'POST' }),
    onSuccess: useRenewUsers(),
  });
}

/** The roles of a user after one of them was switched; other roles stay the same. */
export const withRole = (roles: readonly Role[], switched: Role, isOn: boolean): Role[] =>
  role.options.filter((each) => (each === switched ? isOn : roles.includes(each)));
