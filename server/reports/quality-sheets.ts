import { type DataQuality, type QualityFlagKind, qualityFlagKind } from '../../shared/data-quality.ts';
import type { ChosenDevice } from '../energy/measurements.sql.ts';
import type { ExportText } from './texts/de.ts';
import type { Say } from './say.ts';
import type { Part } from '../workbook/sheet.ts';
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
} as const satisfies Record<QualityFlagKind, readonly [one: ExportText, several: ExportText]>;

/** How much of the range was measured, by device, and its findings, newest first. */
export function* qualitySheets(
  say: Say,
  { devices: found, balances }: DataQuality,
  devices: readonly ChosenDevice[],
  timeZone: string,
): Generator<Part, void> {
  const zones = new Map(devices.map((device) => [device.id, device.timeZone]));
  const clock = clockOf(say, devices, timeZone);
  yield* table(
    say('Data quality'),
    [
      [say('Device'), text, (device) => device.deviceName],
      [say('Site'), text, (device) => device.siteName],
      [say('Measured quarter-hours'), count, ({ slots }) => slots.measured],
      [say('Interpolated quarter-hours'), count, ({ slots }) => slots.interpolated],
      [say('Missing quarter-hours'), count, ({ slots }) => slots.missing],
      [say('Measured'), share, ({ slots }) => measuredShare(slots)],
      ...qualityFlagKind.options.map((kind): TableColumn<QualityRow> => [
        say(flagNames[kind][1]),
        count,
        ({ counts }) => counts[kind],
      ]),
    ],
    found,
  );
  const findings = found.flatMap(({ deviceId, deviceName, siteName, flags }) =>
    flags.map((flag) => ({ ...flag, deviceName, siteName, zone: zones.get(deviceId) ?? timeZone })),
  );
  yield* table(
    say('Gaps and oddities'),
    [
      [say('Device'), text, (flag) => flag.deviceName],
      [say('Site'), text, (flag) => flag.siteName],
      [say('What'), text, ({ kind }) => say(flagNames[kind][0])],
      [say('Register'), text, ({ direction }) => (direction === null ? null : say(direction))],
      [say('From', clock), text, ({ time, zone }) => instantCell(time, zone)],
      [say('Until', clock), text, ({ until, zone }) => instantCell(until, zone)],
      [say('Energy', 'kWh'), kwh, (flag) => flag.energyKwh],
    ],
    findings,
  );
  if (balances.length === 0) return;
  yield* table(
    say('Open balances'),
    [
      [say('Main meter'), text, (balance) => balance.deviceName],
      [say('Site'), text, (balance) => balance.siteName],
      [say('Not sub-metered', 'kWh'), kwh, (balance) => balance.notSubMeteredKwh],
      [say('Sub-meters measured more'), text, ({ isExceeded }) => say(isExceeded ? 'yes' : 'no')],
      [say('Missing quarter-hours'), count, ({ missingSlots }) => missingSlots],
    ],
    balances,
  );
}

function measuredShare({ measured, interpolated, missing }: QualityRow['slots']): number | null {
  const all = measured + interpolated + missing;
  return all === 0 ? null : measured / all;
}
