import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../../lib/error-text.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { isSecondFactorOn, secondFactorQuery } from './second-factor-query.ts';
import { signInPolicyQuery, useSaveSignInPolicy } from './users-query.ts';

/** Whether administrators need a second factor; nobody asks for it who has none. */
export function SignInPolicyPanel() {
  const t = useTranslations('settings.users.policy');
  const errorText = useErrorText();
  const policy = useQuery(signInPolicyQuery);
  const own = useQuery(secondFactorQuery);
  const save = useSaveSignInPolicy();
  const change = (adminsNeedSecondFactor: boolean) =>
    save.mutate(
      { adminsNeedSecondFactor },
      {
        onSuccess: () =>
          notifications.show({ color: 'green', message: t(adminsNeedSecondFactor ? 'required' : 'notRequired') }),
        onError: (error) => notifications.show({ color: 'red', message: errorText(error) }),
      },
    );
  const failed = [policy, own].find(({ isError }) => isError);
  return (
    <Panel title={t('title')}>
      {policy.data !== undefined && own.data !== undefined ? (
        <Switch
          label={t('adminsNeedSecondFactor')}
          description={t(isSecondFactorOn(own.data) ? 'hint' : 'ownFirst')}
          checked={policy.data.adminsNeedSecondFactor}
          disabled={save.isPending || (!isSecondFactorOn(own.data) && !policy.data.adminsNeedSecondFactor)}
          onChange={(event) => change(event.currentTarget.checked)}
        />
      ) : failed === undefined ? (
        <RowsSkeleton rows={1} />
      ) : (
        <ErrorState compact error={failed.error} onRetry={() => void failed.refetch()} />
      )}
    </Panel>
  );
}
