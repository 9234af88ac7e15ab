import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { currentUserQuery, forgetUserData } from '../lib/current-user.ts';
import { useErrorText } from '../lib/error-text.ts';
import { fetchNothing, OfflineError } from '../lib/http.ts';
import { forgetLastSeen } from '../offline/last-seen.ts';
import { keepSignOutDue } from '../lib/sign-out-due.ts';

/** `POST /api/auth/logout`. No data remains for the next user. */
export function useSignOut() {
  const t = useTranslations('shell');
  const errorText = useErrorText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    client.setQueryData(currentUserQuery.queryKey, null);
    await navigate({ to: '/sign-in', replace: true });
    forgetUserData(client);
  };
  return useMutation({
    mutationFn: () => fetchNothing('/api/auth/logout', { method: 'POST' }),
    // Runs even if the portal does not answer: the figures that this browser shows without a connection are deleted.
    onMutate: forgetLastSeen,
    onSuccess: leave,
    onError: async (error) => {
      if (error instanceof OfflineError && keepSignOutDue()) await leave();
      else notifications.show({ color: 'red', title: t('signOutFailed'), message: errorText(error) });
    },
  });
}
