import { describe, expect, it } from 'vitest';
import type { LoadCurve } from '../../../../shared/dashboard.ts';
import { createFormat } from '../../../../shared/format.ts';
import {
  devicesByPlace,
  lastReadingMs,
  recentBucket,
  recentPoints,
  sortDevices,
  watchedDevices,
  type DeviceOrder,
} from './figures.ts';
import {
  countSeries,
  curveOfSites,
  defaultGroup,
  detailBucket,
  finestBucket,
  loadCurveData,
} from './panels/load-curve-data.ts';
import { countedAt, drawnBy, drawnPower, leavesOutFeedIn } from './panels/moment.ts';
import { readDashboardSearch } from './search.ts';
import { deviceOf } from './test-figures.ts';

const curve = (bucket: LoadCurve['bucket'], times: string[], series: Record<string, (number | null)[]>): LoadCurve => ({
  bucket,
  times,
  series: Object.entries(series).map(([id, averagePowerKw]) => ({
    id,
    name: id,
    averagePowerKw,
    energyImportedKwh: averagePowerKw.map(() => null),
  })),
});
const range = { fromMs: Date.parse('2026-03-01T10:00:00Z'), toMs: Date.parse('2026-03-01T12:00:00Z') };
const quarters = ['2026-03-01T10:00:00Z', '2026-03-01T10:15:00Z', '2026-03-01T10:30:00Z'];
const nameOf = ({ name }: { name: string }) => name;

describe('the load curve', () => {
  it('leaves out the running bucket, whose sum lacks what has not been sent yet', () => {
    const now = Date.parse('2026-03-01T10:34:00Z');
    const data = loadCurveData(curve('15min', quarters, { a: [1, 2, 3] }), 'UTC', range, now, nameOf);
    expect(data.series[0]?.values).toEqual([1, 2]);
  });

  it('keeps a running hour or day', () => {
    const now = Date.parse('2026-03-01T10:34:00Z');
    const data = loadCurveData(curve('hour', quarters.slice(0, 1), { a: [1] }), 'UTC', range, now, nameOf);
    expect(data.series[0]?.values).toEqual([1]);
  });

  it('has no series for a device that measured nothing in the range', () => {
    const data = loadCurveData(
      curve('15min', quarters, { a: [null, null, null], b: [null, 0, 1] }),
      'UTC',
      range,
      0,
      nameOf,
    );
    expect(data.series.map(({ id }) => id)).toEqual(['b']);
  });

  it('is stacked by what there is more than one of', () => {
    expect(defaultGroup(['s', 't'])).toBe('site');
    expect(defaultGroup(['s', 's'])).toBe('device');
    // A single device has its own name and color, also here.
    expect(defaultGroup(['s'])).toBe('device');
    expect(defaultGroup([])).toBe('total');
  });

  it('has a series for each end use in any case, and one for what has none', () => {
    const of = (siteId: string, endUse: string | null) => ({ siteId, endUse });
    const devices = [of('s', 'Lighting'), of('t', 'lighting'), of('s', 'IT'), of('s', null), of('t', null)];
    expect(countSeries(devices, 'endUse')).toBe(3);
    expect(countSeries(devices, 'site')).toBe(2);
  });
});

describe('the load curve of days that each site has by its own clock', () => {
  const day = { fromMs: Date.parse('2026-03-10T23:00:00Z'), toMs: Date.parse('2026-03-11T23:00:00Z') };

  it('has each day at its date, whatever clock the portal names it by', () => {
    const { curve: drawn, range: over } = curveOfSites(
      curve('day', ['2026-03-11T00:00:00Z'], {}),
      day,
      'Europe/Berlin',
    );
    expect(drawn.times).toEqual(['2026-03-10T23:00:00.000Z']);
    expect(over).toBe(day);
  });

  it('reaches as far as the days of all sites', () => {
    const times = ['2026-03-10T15:00:00Z', '2026-03-12T04:00:00Z'];
    expect(curveOfSites(curve('hour', times, {}), day, 'Europe/Berlin').range).toEqual({
      fromMs: Date.parse('2026-03-10T15:00:00Z'),
      toMs: Date.parse('2026-03-12T05:00:00Z'),
    });
  });

  it('leaves ranges of instants alone', () => {
    const asked = curve('hour', ['2026-03-10T15:00:00Z'], {});
    const hours = { fromMs: day.fromMs + 1, toMs: day.toMs };
    expect(curveOfSites(asked, hours, 'Europe/Berlin')).toEqual({ curve: asked, range: hours });
  });
});

const device = (deviceId: string, averagePowerKw: number | null, lastMeasuredAt: string | null) =>
  deviceOf({ deviceId, averagePowerKw, lastMeasuredAt });

describe('the figures', () => {
  it('list devices by site and name in the order in which people count', () => {
    const devices = ['B/Meter 1', 'A/Meter 10', 'A/Meter 2'].map((place) => {
      const [siteName = '', deviceName = ''] = place.split('/');
      return { siteName, deviceName };
    });
    const names = devicesByPlace(devices, createFormat('en-GB').compare).map(({ deviceName }) => deviceName);
    expect(names).toEqual(['Meter 2', 'Meter 10', 'Meter 1']);
  });

  const devices = [
    device('a', 2, '2026-03-01T10:00:00Z'),
    device('b', -0.5, '2026-03-01T11:00:00Z'),
    device('c', null, null),
  ];

  it('know the newest reading of all', () => {
    expect(lastReadingMs({ devices })).toBe(Date.parse('2026-03-01T11:00:00Z'));
    expect(lastReadingMs({ devices: [] })).toBeNull();
  });

  it('end the small line with the power of now', () => {
    const recent = curve('15min', quarters.slice(0, 2), { total: [5, null] });
    const now = Date.parse('2026-03-01T10:40:00Z');
    expect(recentPoints(recent, 7, now)).toEqual([
      { at: Date.parse('2026-03-01T10:07:30Z'), value: 5 },
      { at: now, value: 7 },
    ]);
    expect(recentPoints(undefined, null, now)).toEqual([]);
  });

  it('draw the small line by the hour where an active device sends less than once a quarter-hour', () => {
    const every = (expectedIntervalSeconds: number | null, isActive = true) => ({ isActive, expectedIntervalSeconds });
    expect(recentBucket([every(null), every(900), every(3600, false)])).toBe('15min');
    expect(recentBucket([every(60), every(1800)])).toBe('hour');
  });

  it('take the last reading of a device from the summary, and its settings from the list', () => {
    const listed = [
      {
        id: 'b',
        name: 'b',
        externalId: 'b',
        isActive: false,
        siteId: 's',
        siteName: 's',
        parentDeviceId: null,
        expectedIntervalSeconds: 900,
        endUse: null,
      },
    ];
    const summary = {
      from: '',
      fromDate: null,
      toDate: null,
      to: '',
      activeDeviceCount: 0,
      currentDeviceCount: 0,
      arrivedUntil: '2026-03-10T00:00:00Z',
      averagePowerKw: null,
      currentPowerKw: null,
      peakPowerKw: null,
      peakAt: null,
      averagePowerFactor: null,
      energyImportedKwh: 0,
      energyExportedKwh: 0,
      estimatedEnergyKwh: 0,
      unpricedEnergyKwh: 0,
      costs: [],
      tariffDays: [],
      devices,
      sites: [],
      periods: [],
    };
    expect(watchedDevices(listed, summary)).toEqual([
      { id: 'b', isActive: false, expectedIntervalSeconds: 900, lastMeasuredAt: '2026-03-01T11:00:00Z' },
    ]);
  });
});

it('the address of the Overview drops what it does not know, and says so of its range', () => {
  expect(readDashboardSearch({ group: 'device', range: 'last7d' })).toEqual({ group: 'device', range: 'last7d' });
  expect(readDashboardSearch({ group: 'endUse' })).toEqual({ group: 'endUse' });
  expect(readDashboardSearch({ group: 'planet', range: 7 })).toEqual({ range: 'unknown' });
});

describe('the moment that a number leads to', () => {
  it('lists who drew most first, says what each is a part of, and leaves out of whom nothing is known', () => {
    const hour = curve('hour', quarters.slice(0, 2), {
      a: [1, 3],
      b: [null, null],
      c: [5, null],
      gone: [9, 9],
    });
    const devices = ['a', 'b', 'c'].map((id) => ({
      id,
      name: id,
      externalId: id,
      isActive: true,
      siteId: 's',
      siteName: 's',
      expectedIntervalSeconds: null,
      parentDeviceId: null,
      endUse: null,
    }));
    const placed = ['a', 'b', 'c'].map((deviceId) => ({
      deviceId,
      deviceName: `Meter ${deviceId}`,
      countedIn: deviceId === 'a' ? 'c' : null,
    }));
    expect(drawnBy(hour, devices, placed).map(({ device, whole, powerKw }) => [device.id, whole, powerKw])).toEqual([
      ['c', null, 5],
      ['a', 'Meter c', 2],
    ]);
  });

  it('is that of the devices in whose own days it lies', () => {
    const [berlin, kuwait] = [
      { id: 's1', timeZone: 'Europe/Berlin' },
      { id: 's2', timeZone: 'Asia/Kuwait' },
    ].map((own) => ({ ...own, name: own.id, municipalityId: 'm', municipalityName: 'm', deviceCount: 1, version: 1 }));
    const devices = ['s1', 's2'].map((siteId) => ({
      id: `of ${siteId}`,
      name: siteId,
      externalId: siteId,
      isActive: true,
      siteId,
      siteName: siteId,
      expectedIntervalSeconds: null,
      parentDeviceId: null,
      endUse: null,
    }));
    const october = { fromMs: Date.parse('2026-09-30T22:00:00Z'), toMs: Date.parse('2026-10-31T23:00:00Z') };
    const at = (instant: string) => ({ fromMs: Date.parse(instant), toMs: Date.parse(instant) + 900_000 });
    const sites = [berlin, kuwait].filter((site) => site !== undefined);
    const counted = (instant: string, range = october) =>
      countedAt(at(instant), range, 'Europe/Berlin', { choice: {}, devices, sites });
    expect(counted('2026-10-10T12:00:00Z')).toEqual({ choice: {}, devices });
    // In Kuwait it is already November.
    expect(counted('2026-10-31T22:30:00Z')).toEqual({ choice: { devices: 'of s1' }, devices: [devices[0]] });
    const instants = { fromMs: october.fromMs + 60_000, toMs: october.toMs };
    expect(counted('2026-10-31T22:30:00Z', instants)).toEqual({ choice: {}, devices });
  });

  it('has the demand of a quarter-hour, as its peak has it, and the power of what feeds in', () => {
    const of = (averagePowerKw: number | null, energyImportedKwh: number | null) =>
      drawnPower(
        { id: 'a', name: 'a', averagePowerKw: [averagePowerKw], energyImportedKwh: [energyImportedKwh] },
        '15min',
      );
    // A meter that sends the power of the previous quarter-hour.
    expect(of(50, 22.5)).toBe(90);
    expect(of(null, 2)).toBe(8);
    expect(of(0.3, 0)).toBe(0);
    expect(of(-4, 0)).toBe(-4);
    expect(of(4, null)).toBe(4);
    expect(of(null, null)).toBeNull();
  });

  it('says of a demand that what is fed in is not taken off it; the mean of an hour has it taken off', () => {
    const device = { id: 'a', name: 'a', externalId: 'a', isActive: true, siteId: 's', siteName: 's' };
    const own = { ...device, expectedIntervalSeconds: null, parentDeviceId: null, endUse: null };
    const drawn = [89.6, -20.9].map((powerKw) => ({ device: own, whole: null, powerKw }));
    expect(leavesOutFeedIn('15min', 89.6, drawn)).toBe(true);
    expect(leavesOutFeedIn('15min', 89.6, drawn.slice(0, 1))).toBe(false);
    expect(leavesOutFeedIn('hour', 68.7, drawn)).toBe(false);
    expect(leavesOutFeedIn('15min', -20.9, drawn.slice(1))).toBe(false);
  });

  it('stands in the address with its zoom; what is no span, or longer than an hour that comes twice, is dropped', () => {
    const [at, zoom] = ['2026-03-01T10:00:00Z..2026-03-01T10:15:00Z', '2026-03-01T08:00:00Z..2026-03-01T12:15:00Z'];
    expect(readDashboardSearch({ at, zoom, state: 'offline' })).toEqual({ at, zoom, state: 'offline' });
    expect(readDashboardSearch({ at: zoom, zoom: 'x..y', state: 'loud' })).toEqual({});
    expect(readDashboardSearch({ at: '2026-03-01T10:15:00Z..2026-03-01T10:00:00Z', zoom: 5 })).toEqual({});
  });
});

it('devices are sorted by place, by power, or by who has been quiet for longest; who never measured is last by power', () => {
  const device = (deviceId: string, siteName: string, currentPowerKw: number | null, lastMeasuredAt: string | null) =>
    deviceOf({ deviceId, siteName, currentPowerKw, lastMeasuredAt });
  const devices = [
    device('a', 'Works', 1, '2026-03-01T10:00:00Z'),
    device('b', 'Annex', null, null),
    device('c', 'Annex', 3, '2026-03-01T09:00:00Z'),
  ];
  const idsBy = (order: DeviceOrder) =>
    sortDevices(devices, order, (a, b) => (a < b ? -1 : 1)).map(({ deviceId }) => deviceId);
  expect(idsBy('place')).toEqual(['b', 'c', 'a']);
  expect(idsBy('power')).toEqual(['c', 'a', 'b']);
  expect(idsBy('silence')).toEqual(['b', 'c', 'a']);
});

describe('the load curve of several devices', () => {
  const every = (expectedIntervalSeconds: number | null, isActive = true) => ({ expectedIntervalSeconds, isActive });
  it.each([
    ['each minute', [every(60), every(60)], 'minute'],
    ['each minute and each quarter-hour', [every(60), every(900)], '15min'],
    ['who knows how often', [every(60), every(null)], '15min'],
    ['each hour', [every(60), every(3600)], 'hour'],
    ['each minute, and one that is off', [every(60), every(60), every(3600, false)], 'minute'],
    ['alone, which needs no sum', [every(900)], 'minute'],
  ])('has buckets in which each of them has a reading: %s', (_, devices, bucket) => {
    expect(finestBucket(devices)).toBe(bucket);
  });

  it('is zoomed no further than that', () => {
    const hourMs = 3_600_000;
    const [range, zoomed] = [
      { fromMs: 0, toMs: 720 * hourMs },
      { fromMs: 0, toMs: hourMs },
    ];
    expect(detailBucket(zoomed, range, 'hour', 2, 'minute')).toBe('minute');
    expect(detailBucket(zoomed, range, 'hour', 2, '15min')).toBe('15min');
    expect(detailBucket(zoomed, range, '15min', 2, '15min')).toBe('15min');
  });
});
