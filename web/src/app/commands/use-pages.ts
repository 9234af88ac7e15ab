import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { appInfoQuery } from '../../lib/app-info.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { keptChoice, keptRange } from '../../lib/kept-range.ts';
import { pagesOf, searchOf } from '../navigation.ts';

/** The pages of the navigation with their shortcuts. */
export function usePages() {
  const t = useTranslations('shell');
  const navigate = useNavigate();
  const { runMode } = useSuspenseQuery(appInfoQuery).data;
  const roles = useCurrentUser()?.roles ?? [];
  return pagesOf(runMode, roles).map(({ to, label, searchedAs, key, ...item }) => ({
    to,
    key,
    name: t(label),
    hint: searchedAs === undefined ? '' : t(searchedAs),
    open: () => void navigate({ to, search: searchOf(item, keptRange(), keptChoice()) }),
  }));
}
