import { Menu, SegmentedControl, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconLogout, IconPassword, IconSelector, IconUser } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { currentUserQuery, useCurrentUser } from '../lib/current-user.ts';
import { useErrorText } from '../lib/error-text.ts';
import { fetchNothing } from '../lib/http.ts';
import { languageNames, languages } from '../lib/i18n/language.ts';
import { useLanguage } from './LanguageProvider.tsx';
import { forgetUserData } from './query-client.ts';
import classes from './UserMenu.module.css';

const schemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => [...word][0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase();

/** Profile, appearance, language and sign-out of whoever is signed in. */
export function UserMenu() {
  const t = useTranslations('shell');
  const user = useCurrentUser();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { language, setLanguage } = useLanguage();
  if (user === null) return null;
  const name = user.displayName === '' ? user.email : user.displayName;
  return (
    <Menu width={248} position="top-start" closeOnItemClick>
      <Menu.Target>
        <button type="button" className={classes.target} aria-label={t('userMenu', { name })}>
          <span className={classes.avatar} aria-hidden>
            {initialsOf(name)}
          </span>
          <span className={classes.name}>{name}</span>
          <IconSelector size={15} stroke={1.75} className={classes.chevron} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <strong>{name}</strong>
          <span>{user.email}</span>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/settings/profile" leftSection={<IconUser size={16} stroke={1.75} />}>
          {t('profile')}
        </Menu.Item>
        <Menu.Item component={Link} to="/settings/password" leftSection={<IconPassword size={16} stroke={1.75} />}>
          {t('password')}
        </Menu.Item>
        <Menu.Divider />
        <div className={classes.choice}>
          <span>{t('appearance')}</span>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={t('appearance')}
            value={colorScheme}
            onChange={setColorScheme}
            data={schemes.map((scheme) => ({ value: scheme, label: t(scheme) }))}
          />
        </div>
        <div className={classes.choice}>
          <span>{t('language')}</span>
          <SegmentedControl
            fullWidth
            size="xs"
            aria-label={t('language')}
            value={language}
            onChange={setLanguage}
            data={languages.map((code) => ({ value: code, label: languageNames[code] }))}
          />
        </div>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.75} />} onClick={() => signOut.mutate()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useSignOut() {
  const t = useTranslations('shell');
  const errorText = useErrorText();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => fetchNothing('/api/auth/logout', { method: 'POST' }),
    onSuccess: async () => {
      client.setQueryData(currentUserQuery.queryKey, null);
      await navigate({ to: '/sign-in', replace: true });
      forgetUserData(client);
    },
    onError: (error) => notifications.show({ color: 'red', title: t('signOutFailed'), message: errorText(error) }),
  });
}
