import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import type { Device, Site } from '../../../shared/sites.ts';
import { DevicePage } from '../features/sites/DevicePage.tsx';
import { SitePage } from '../features/sites/SitePage.tsx';
import { loadCode } from '../lib/load-code.ts';
import { BlockSkeleton } from '../ui/Skeletons.tsx';

const PlaceFigures = lazy(
  loadCode(async () => ({ default: (await import('../features/dashboard/PlaceFigures.tsx')).PlaceFigures })),
);

const siteRoute = getRouteApi('/signed-in/client/sites/$siteId');
const deviceRoute = getRouteApi('/signed-in/client/sites/$siteId/devices/$deviceId');

/** A site with its energy and cost: panels of the Overview in a page of another feature. */
export function SiteWithFigures() {
  return <SitePage renderFigures={siteFigures} />;
}

export function DeviceWithFigures() {
  return <DevicePage renderFigures={deviceFigures} />;
}

const siteFigures = (site: Site) => <FiguresOfSite site={site} />;
const deviceFigures = (_site: Site, device: Device) => <FiguresOfDevice device={device} />;

const placeHeight = 700;

function FiguresOfSite({ site }: { site: Site }) {
  const search = siteRoute.useSearch();
  const navigate = siteRoute.useNavigate();
  const choice = useMemo(() => ({ sites: site.id }), [site.id]);
  return (
    <Suspense fallback={<BlockSkeleton height={placeHeight} />}>
      <PlaceFigures
        choice={choice}
        search={search}
        onChange={(next, replace = false) => void navigate({ search: next, replace, resetScroll: false })}
      />
    </Suspense>
  );
}

function FiguresOfDevice({ device }: { device: Device }) {
  const search = deviceRoute.useSearch();
  const navigate = deviceRoute.useNavigate();
  const choice = useMemo(() => ({ devices: device.id }), [device.id]);
  return (
    <Suspense fallback={<BlockSkeleton height={placeHeight} />}>
      <PlaceFigures
        choice={choice}
        search={search}
        onChange={(next, replace = false) => void navigate({ search: next, replace, resetScroll: false })}
      />
    </Suspense>
  );
}
