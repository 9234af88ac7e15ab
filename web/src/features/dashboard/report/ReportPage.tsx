import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { IntlProvider, useLocale, useTranslations } from 'use-intl';
import { useDisplayZone } from '../../../lib/current-user.ts';
import { devicesOfChoice } from '../../../lib/device-choice.ts';
import { devicesQuery } from '../../../lib/devices.ts';
import { loadFirstMessages, loadMessages } from '../../../lib/i18n/catalogue.ts';
import type { Language } from '../../../../../shared/messages.ts';
import { sitesQuery } from '../../../lib/sites.ts';
import { useNow } from '../../../lib/use-now.ts';
import { FirstSteps } from '../../../ui/FirstSteps.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { PageHeader } from '../../../ui/PageHeader.tsx';
import { PageSkeleton } from '../../../ui/Skeletons.tsx';
import { ReportBody } from './ReportBody.tsx';
import { ReportHead } from './ReportHead.tsx';
import { monthOf, readReportSearch, reportedSearch, type ReportSearch } from './search.ts';

const route = getRouteApi('/signed-in/client/report');

/** The energy report of a month or a year: a few sheets for someone who never opens the portal. */
export function ReportPage() {
  const tShell = useTranslations('shell');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const nowMs = useNow(60_000);
  const language = useLocale();
  const sites = useQuery(sitesQuery);
  const all = useQuery(devicesQuery);
  const devices = useMemo(() => devicesOfChoice(search, all.data ?? []), [search, all.data]);
  const timeZone = useDisplayZone(search);
  const month = monthOf(search, timeZone, nowMs);
  const reported = useMemo(() => reportedSearch(search, month), [search, month]);

  const change = (next: ReportSearch) =>
    void navigate({ search: readReportSearch({ ...search, ...next }), resetScroll: false });
  return (
    <Loaded isPage queries={[sites, all]} skeleton={<PageSkeleton />}>
      {(allSites, allDevices) =>
        allDevices.length === 0 ? (
          <>
            <PageHeader title={tShell('report')} />
            <FirstSteps hasSites={allSites.length > 0} />
          </>
        ) : (
          <InLanguage language={search.lang ?? language}>
            <ReportHead
              search={search}
              month={month}
              devices={devices}
              all={allDevices}
              timeZone={timeZone}
              onChange={change}
              onDevices={(choice) => {
                const { sites: _sites, devices: _devices, ...rest } = search;
                void navigate({ search: { ...rest, ...choice }, resetScroll: false });
              }}
            />
            {devices.length > 0 && (
              <ReportBody
                search={reported}
                timeZone={timeZone}
                devices={devices}
                onMonth={(chosen) => change({ month: chosen })}
                period={month}
              />
            )}
          </InLanguage>
        )
      }
    </Loaded>
  );
}

/** The language of the report's reader may differ from that of the page. */
function InLanguage({ language, children }: { language: Language; children: React.ReactNode }) {
  const own = useLocale();
  const messages = useQuery({
    queryKey: ['report-messages', language],
    queryFn: async () => {
      const [first, others] = await Promise.all([loadFirstMessages(language), loadMessages(language, 'pages')]);
      return { ...first, ...others };
    },
    enabled: language !== own,
    staleTime: Infinity,
  });
  if (language === own || messages.isError) return children;
  if (messages.data === undefined) return <PageSkeleton />;
  return (
    <IntlProvider locale={language} messages={messages.data}>
      <div lang={language}>{children}</div>
    </IntlProvider>
  );
}
