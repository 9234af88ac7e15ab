import { type DataQuality, type QualityFlagKind, qualityFlagKind } from '../../shared/data-quality.ts';
import type { ChosenDevice } from '../db/measurements.ts';
import type { Cell, Part } from '../export/sheet.ts';
import { clockOf, column, count, instantCell, kwh, share, text } from './export-formats.ts';

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
  { devices: found }: DataQuality,
  devices: readonly ChosenDevice[],
  timeZone: string,
): Part[] {
  const zones = new Map(devices.map((device) => [device.id, device.timeZone]));
  const clock = clockOf(devices, timeZone);
  const qualityColumns = [
    column('Device', text),
    column('Site', text),
    column('Measured quarter-hours', count),
    column('Interpolated quarter-hours', count),
    column('Missing quarter-hours', count),
    column('Measured', share),
    ...qualityFlagKind.options.map((kind) => column(flagNames[kind][1], count)),
  ];
  const qualityRows = found.map(({ deviceName, siteName, slots, counts }): Cell[] => {
    const all = slots.measured + slots.interpolated + slots.missing;
    return [
      deviceName,
      siteName,
      slots.measured,
      slots.interpolated,
      slots.missing,
      all === 0 ? null : slots.measured / all,
      ...qualityFlagKind.options.map((kind) => counts[kind]),
    ];
  });
  const flagColumns = [
    column('Device', text),
    column('Site', text),
    column('What', text),
    column('Register', text),
    column(`From (${clock})`, text),
    column(`Until (${clock})`, text),
    column('Energy (kWh)', kwh),
  ];
  const flagRows = found.flatMap(({ deviceId, deviceName, siteName, flags }) => {
    const zone = zones.get(deviceId) ?? timeZone;
    return flags.map((flag): Cell[] => [
      deviceName,
      siteName,
      flagNames[flag.kind][0],
      flag.direction,
      instantCell(flag.time, zone),
      instantCell(flag.until, zone),
      flag.energyKwh,
    ]);
  });
  return [
    { kind: 'sheet', sheet: { name: 'Data quality', columns: qualityColumns } },
    { kind: 'rows', rows: qualityRows },
    { kind: 'sheet', sheet: { name: 'Gaps and oddities', columns: flagColumns } },
    { kind: 'rows', rows: flagRows },
  ];
}
