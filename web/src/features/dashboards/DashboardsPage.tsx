import { NativeSelect, useComputedColorScheme, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  type DashboardToolStatus,
  type EmbeddedDashboard,
  menuChange,
} from '../../../../shared/embedded-dashboards.ts';
import { dashboardToolQuery, embeddedDashboardsQuery } from '../../entities/embedded-dashboards.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { PageHeader } from '../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../ui/Skeletons.tsx';
import menuClasses from '../../ui/MenuLink.module.css';
import { chosenOf, frameUrl, type MenuItem, menuOf, newDashboard } from './menu.ts';
import classes from './DashboardsPage.module.css';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconPlugConnectedX, IconPlus } from '@tabler/icons-react';
import { useHasRole } from '../../lib/current-user.ts';
import { useRenew } from '../../lib/mutations.ts';
import { Age } from '../../ui/Age.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LinkButton } from '../../ui/LinkButton.tsx';

/** The dashboard tool in a frame of full height, with the registered dashboards as its menu. */
export function DashboardsPage() {
  const dashboards = useQuery(embeddedDashboardsQuery);
  const tool = useQuery(dashboardToolQuery);
  return (
    <Loaded isPage queries={[dashboards, tool]} skeleton={<PageSkeleton />}>
      {(registered, status) => <Dashboards dashboards={registered} tool={status} />}
    </Loaded>
  );
}

function Dashboards({ dashboards, tool }: { dashboards: readonly EmbeddedDashboard[]; tool: DashboardToolStatus }) {
  const t = useTranslations('dashboards');
  const tShell = useTranslations('shell');
  const theme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const { name } = useParams({ strict: false });
  const menu = menuOf(dashboards, tool.path);
  const chosen = chosenOf(menu, name, tool.path);
  const isThere = useIsThere(tool);
  const reason = useReason(tool);
  // Once the frame is shown, it stays. Otherwise users who edit a dashboard would lose it when the tool restarts.
  const [wasThere, setWasThere] = useState(false);
  if (isThere && !wasThere) setWasThere(true);
  const url = frameUrl(chosen.path, theme);
  const isAdmin = useHasRole('Admin');
  useMenuChanges();
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHeader title={tShell('dashboards')} />
        <Menu menu={menu} chosen={chosen.key === newDashboard ? { ...chosen, title: t('new') } : chosen} />
        {isAdmin && isThere && (
          <LinkButton
            to="/dashboards/$name"
            params={{ name: newDashboard }}
            aria-label={t('new')}
            className={classes.new}
          >
            <IconPlus size={16} stroke={2} aria-hidden />
            <span className={classes.newText}>{t('new')}</span>
          </LinkButton>
        )}
      </div>
      {isThere || wasThere ? (
        <>
          {!isThere && (
            <div role="status" className={classes.trouble}>
              {t('gone', { reason: reason ?? t(`${tool.state === 'running' ? 'starting' : tool.state}Title`) })}
            </div>
          )}
          {/* A new frame for each URL: a changed URL would add a step to the browser history. */}
          {/* oxlint-disable-next-line react/iframe-missing-sandbox -- it needs its scripts and this origin; a sandbox that allows both keeps nothing in */}
          <iframe key={url} src={url} title={chosen.title || tShell('dashboards')} className={classes.frame} />
        </>
      ) : (
        <ToolState tool={tool} />
      )}
    </div>
  );
}

/** Follows the frame, because a dashboard that was saved there may be in the menu now. */
function useMenuChanges() {
  const t = useTranslations('dashboards');
  const navigate = useNavigate();
  const renew = useRenew(embeddedDashboardsQuery.queryKey);
  const follow = useEffectEvent(async ({ origin, data }: MessageEvent<unknown>) => {
    const said = origin === window.location.origin ? menuChange.safeParse(data).data : undefined;
    if (said === undefined) return;
    const { name, title, isShown, isRenamed } = said.menuChange;
    const message = t(isShown ? 'addedToMenu' : 'removedFromMenu', { name: title });
    if (!isRenamed) notifications.show({ color: 'green', message });
    await renew();
    if (isShown) await navigate({ to: '/dashboards/$name', params: { name }, replace: true });
  });
  useEffect(() => {
    const onMessage = (event: MessageEvent<unknown>) => void follow(event);
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);
}

function Menu({ menu, chosen }: { menu: readonly MenuItem[]; chosen: MenuItem }) {
  const t = useTranslations('dashboards');
  const navigate = useNavigate();
  if (menu.length === 0) return null;
  const isListed = menu.some(({ key }) => key === chosen.key);
  return (
    <>
      <nav aria-label={t('menu')} className={classes.menu}>
        <ul className={classes.list}>
          {menu.map(({ key, title, description }) => (
            <li key={key}>
              <Link
                to="/dashboards/$name"
                params={{ name: key }}
                className={menuClasses.link}
                title={description}
                {...(key === chosen.key ? { 'aria-current': 'page' } : {})}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <NativeSelect
        aria-label={t('menu')}
        className={classes.select}
        value={chosen.key}
        data={[...(isListed ? [] : [chosen]), ...menu].map(({ key, title }) => ({ value: key, label: title }))}
        onChange={({ currentTarget }) =>
          void navigate({ to: '/dashboards/$name', params: { name: currentTarget.value } })
        }
      />
    </>
  );
}

/** Why the tool is unavailable, if the reason is known. */
function useReason({ failure }: DashboardToolStatus): string | null {
  const t = useTranslations('dashboards');
  return failure === null ? null : t(`reasons.${failure.code}`, { detail: failure.detail });
}

/** Why nothing is shown yet, and what to do. The page continues automatically once the tool is available. */
function ToolState({ tool }: { tool: DashboardToolStatus }) {
  const t = useTranslations('dashboards');
  const { state, since } = tool;
  const reason = useReason(tool);
  const isAdmin = useHasRole('Admin');
  if (state === 'failed' || state === 'off') {
    const Icon = state === 'off' ? IconPlugConnectedX : IconAlertTriangle;
    return (
      <div role="status">
        <EmptyState icon={<Icon size={22} stroke={1.75} />} title={t(`${state}Title`)}>
          {reason !== null && (
            <>
              {t('reason', { reason })}
              <br />
            </>
          )}
          {isAdmin ? t(`${state}Text`) : t('askAdmin')}
        </EmptyState>
      </div>
    );
  }
  const step = state === 'running' ? 'starting' : state;
  return (
    <div role="status">
      <EmptyState icon={<Loader size={22} />} title={t(`${step}Title`)}>
        {t(`${step}Text`)}
        <br />
        <Age at={since} />
      </EmptyState>
    </div>
  );
}

/**
 * Whether the tool is available. If a proxy in front of the portal forwards the prefix itself, the portal does not know. Then
 * the page asks the tool.
 */
function useIsThere({ state, path }: DashboardToolStatus): boolean {
  const answers = useQuery({
    queryKey: ['dashboard-tool', path],
    // Asks for JSON, so that the portal does not answer with its own page.
    queryFn: async ({ signal }) => {
      const answer = await fetch(`${path}/`, { headers: { accept: 'application/json' }, signal }).catch(() => null);
      await answer?.text().catch(() => '');
      return answer?.ok ?? false;
    },
    enabled: state === 'off',
    refetchInterval: ({ state: { data } }) => (data === true ? false : 10_000),
  });
  return state === 'running' || (state === 'off' && answers.data === true);
}
