import {
  Popover,
  SegmentedControl,
  UnstyledButton,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { IconKey, IconLogout, IconSelector, IconUser } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCurrentUser, useDisplayZone } from '../lib/current-user.ts';
import { useFormat } from '../lib/use-format.ts';
import { initialsOf } from './initials.ts';
import { LanguageSelect } from '../ui/LanguageSelect.tsx';
import { useSignOut } from './use-sign-out.ts';
import classes from './UserMenu.module.css';

const schemes: readonly MantineColorScheme[] = ['light', 'dark', 'auto'];
const iconProps = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** Profile, appearance, language and sign-out of the signed-in user. */
export function UserMenu() {
  const t = useTranslations('shell');
  const user = useCurrentUser();
  const signOut = useSignOut();
  const [opened, setOpened] = useState(false);
  if (user === null) return null;
  const name = user.displayName === '' ? user.email : user.displayName;
  const close = () => setOpened(false);
  return (
    <>
      <div className={classes.zone}>
        <DisplayZone onClick={close} />
      </div>
      <Popover opened={opened} onChange={setOpened} width={256} position="top-start" trapFocus returnFocus>
        <Popover.Target>
          <UnstyledButton className={classes.target} onClick={() => setOpened(!opened)}>
            <span className={classes.avatar} aria-hidden>
              {initialsOf(name)}
            </span>
            <span className={`${classes.name} one-line`}>{name}</span>
            <span className="visually-hidden">{t('userMenu')}</span>
            <IconSelector size={15} stroke={1.75} className={classes.chevron} aria-hidden />
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown className={classes.menu} aria-label={t('userMenu')}>
          <div className={classes.who}>
            <strong>{name}</strong>
            <span>{user.email}</span>
            <DisplayZone onClick={close} />
          </div>
          <Link to="/settings/profile" className={classes.item} onClick={close}>
            <IconUser {...iconProps} />
            {t('profile')}
          </Link>
          <Link to="/settings/password" className={classes.item} onClick={close}>
            <IconKey {...iconProps} />
            {t('password')}
          </Link>
          <Preferences />
          <button type="button" className={classes.item} disabled={signOut.isPending} onClick={() => signOut.mutate()}>
            <IconLogout {...iconProps} />
            {t('signOut')}
          </button>
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

/** The zone in which this user sees times; links to its setting. */
function DisplayZone({ onClick }: { onClick: () => void }) {
  const t = useTranslations('common.timeRange');
  const format = useFormat();
  const timeZone = useDisplayZone();
  return (
    <Link to="/settings/profile" onClick={onClick}>
      {t('zone', { zone: format.timeZoneName(timeZone) })}
    </Link>
  );
}

function Preferences() {
  const t = useTranslations('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <div className={classes.preferences}>
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
      <LanguageSelect />
    </div>
  );
}
