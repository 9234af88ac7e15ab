import { type DataQuality, type QualityFlagKind, qualityFlagKind } from '../../shared/data-quality.ts';
import type { ChosenDevice } from '../db/measurements.ts';
import type { Part } from '../export/sheet.ts';
import { clockOf, count, instantCell, kwh, share, table, type TableColumn, text } from './export-formats.ts';

type QualityRow = DataQuality['devices'][number];

const flagNames = {
  gap: ['Gap', 'Gaps'],
  interpolated: ['Interpolated', 'Interpolated'],
  glitch: ['Glitch', 'Glitches'],
  stepBack: ['Step back', 'Steps back'],
  rollover: ['Rollover', 'Rollovers'],
  reset: ['Reset', 'Resets'],
  implausible: ['Implausible', 'Implausible'],
} as const satisfies Record<QualityFlagKind, readonly [one: string, several: string]>;

/** How much of the range was measured, by device, and its findings, newest first. */
export function qualitySheets(
  { devices: found, balances }: DataQuality,
  devices: readonly ChosenDevice[],
  timeZone: string,
): Part[] {
  const zones = new Map(devices.map((device) => [device.id, device.timeZone]));
  const clock = clockOf(devices, timeZone);
  const quality = table(
    'Data quality',
    [
      ['Device', text, (device) => device.deviceName],
      ['Site', text, (device) => device.siteName],
      ['Measured quarter-hours', count, ({ slots }) => slots.measured],
      ['Interpolated quarter-hours', count, ({ slots }) => slots.interpolated],
      ['Missing quarter-hours', count, ({ slots }) => slots.missing],
      ['Measured', share, ({ slots }) => measuredShare(slots)],
      ...qualityFlagKind.options.map((kind): TableColumn<QualityRow> => [
        flagNames[kind][1],
        count,
        ({ counts }) => counts[kind],
      ]),
    ],
    found,
  );
  const findings = found.flatMap(({ deviceId, deviceName, siteName, flags }) =>
    flags.map((flag) => ({ ...flag, deviceName, siteName, zone: zones.get(deviceId) ?? timeZone })),
  );
  const flags = table(
    'Gaps and oddities',
    [
      ['Device', text, (flag) => flag.deviceName],
      ['Site', text, (flag) => flag.siteName],
      ['What', text, ({ kind }) => flagNames[kind][0]],
      ['Register', text, (flag) => flag.direction],
      [`From (${clock})`, text, ({ time, zone }) => instantCell(time, zone)],
      [`Until (${clock})`, text, ({ until, zone }) => instantCell(until, zone)],
      ['Energy (kWh)', kwh, (flag) => flag.energyKwh],
    ],
    findings,
  );
  const open = table(
    'Open balances',
    [
      ['Main meter', text, (balance) => balance.deviceName],
      ['Site', text, (balance) => balance.siteName],
      ['Not sub-metered (kWh)', kwh, (balance) => balance.notSubMeteredKwh],
      ['Sub-meters measured more', text, ({ isExceeded }) => (isExceeded ? 'yes' : 'no')],
      ['Missing quarter-hours', count, ({ missingSlots }) => missingSlots],
    ],
    balances,
  );
  return [...quality, ...flags, ...(balances.length === 0 ? [] : open)];
}

function measuredShare({ measured, interpolated, missing }: QualityRow['slots']): number | null {
  const all = measured + interpolated + missing;
  return all === 0 ? null : measured / all;
}
