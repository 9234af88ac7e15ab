import type { BarData } from '../../shared/charts/bars.ts';
import { energyBars } from '../../shared/charts/bars.ts';
import { type ChartData, chartData, sumOf } from '../../shared/charts/chart-data.ts';
import { bridgedData } from '../../shared/charts/gaps.ts';
import { createFormat, type Format, unknownValue } from '../../shared/format.ts';
import type { Language } from '../../shared/messages.ts';
import { type ReportFigures, reportedPeriodLabel } from '../../shared/report-subscriptions.ts';
import { qualityFlagKind } from '../../shared/data-quality.ts';
import type { TimeRange } from '../../shared/time.ts';
import { describeAlarm } from '../alarms/alarm-text.rules.ts';
import { customerStateNames } from '../../messages/en/page/states.ts';
import type { MailWords } from '../notifications/mail-texts.ts';
import { flagNames, periodName } from '../reports/answer-summary.ts';
import type { Say } from '../reports/say.ts';
import {
  type ClientContents,
  type FleetContents,
  figuresOf,
  figuresOfSummary,
  type ReportContents,
} from './contents.ts';

export interface ReportTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Emphasized rows at the end. */
  totals: readonly (readonly string[])[];
}

export type ReportChart =
  | { kind: 'bars'; unit: string; data: BarData }
  | { kind: 'plot'; unit: string; data: ChartData; range: TimeRange; timeZone: string };

export interface ReportSection {
  heading: string;
  paragraphs: readonly string[];
  table?: ReportTable;
  chart?: ReportChart;
}

/** A report in words, the same for mail and PDF. */
export interface ReportDocument {
  language: Language;
  title: string;
  subtitle: string;
  sections: readonly ReportSection[];
  notes: readonly string[];
  readAt: string;
  brand: ReportContents['brand'];
}

export interface ReportWords {
  language: Language;
  /** The texts of workbooks. A report uses them because it has the same figures. */
  say: Say;
  mail: MailWords;
}

interface Writing extends ReportWords {
  format: Format;
}

/** Puts the contents of a report into words. */
export function writeDocument(contents: ReportContents, name: string, words: ReportWords): ReportDocument {
  const writing = { ...words, format: createFormat(words.language) };
  const { format, mail } = writing;
  const { period, dates, readAt, brand, timeZone } = contents;
  const time = `${format.dateTime(readAt, timeZone)} (${format.timeZoneName(timeZone)})`;
  const written = contents.kind === 'client' ? writeClient(contents, writing) : writeFleet(contents, writing);
  return {
    language: words.language,
    title: `${name} · ${reportedPeriodLabel(period, dates, format)}`,
    subtitle: written.subtitle,
    sections: [...written.sections, alarmSection(contents, writing)],
    notes: [...written.notes, mail.say('reportReadAt', { time })],
    readAt,
    brand,
  };
}

const costIn = ({ costs }: ReportFigures, currency: string): number | null =>
  costs.find((cost) => cost.currency === currency)?.total ?? null;

/** The change as a share of the earlier value. */
const changeOf = (now: number | null, before: number | null, format: Format): string =>
  now === null || before === null || before <= 0 ? unknownValue : format.change(now / before - 1);

function writeClient(contents: ClientContents, writing: Writing) {
  const { say, mail, format } = writing;
  const { summary, siteNames } = contents;
  const { energyImportedKwh, estimatedEnergyKwh, unpricedEnergyKwh, devices } = summary.summary;
  const hasReadings = devices.some(({ measuredHours }) => measuredHours > 0);
  const figures = figuresTable(contents, hasReadings, writing);
  return {
    subtitle: siteNames.length === 0 ? mail.say('reportAllSites') : format.list(siteNames),
    sections: [
      {
        heading: say('Totals'),
        paragraphs: hasReadings ? [] : [mail.say('reportNoReadings')],
        table: figures,
      },
      ...(hasReadings ? [...chartSections(contents, writing), ...nightSection(contents, writing)] : []),
      ...reasonSection(contents, writing),
      ...costSection(contents, writing),
      ...qualitySection(contents, writing),
    ],
    notes: [
      ...(estimatedEnergyKwh > 0
        ? [mail.say('reportInterpolated', { energy: format.energy(estimatedEnergyKwh, energyImportedKwh) })]
        : []),
      ...(unpricedEnergyKwh > 0 ? [mail.say('reportUnpriced', { energy: format.energy(unpricedEnergyKwh) })] : []),
    ],
  };
}

function figuresTable(contents: ClientContents, hasReadings: boolean, { say, mail, format }: Writing): ReportTable {
  const { period, dates, summary, others, baseLoad, timeZone } = contents;
  const own = figuresOfSummary(summary.summary);
  const all = [own, ...others.map(({ figures }) => figures)];
  const currencies = [...new Set(all.flatMap(({ costs }) => costs.map(({ currency }) => currency)))].toSorted();
  const row = (label: string, values: readonly (number | null)[], show: (value: number) => string) => {
    const [value = null, ...before] = hasReadings ? values : [null, ...values.slice(1)];
    const shown = (one: number | null) => (one === null ? unknownValue : show(one));
    return [label, shown(value), ...before.flatMap((one) => [shown(one), changeOf(value, one, format)])];
  };
  const largest = Math.max(...all.map(({ energyImportedKwh }) => energyImportedKwh));
  const energy = (value: number) => format.energy(value, largest);
  const { peakAt, averagePowerKw } = summary.summary;
  return {
    head: [
      say('Metric'),
      reportedPeriodLabel(period, dates, format),
      ...others.flatMap((one) => [reportedPeriodLabel(period, one.dates, format), mail.say('reportChange')]),
    ],
    rows: [
      row(
        say('Energy imported'),
        all.map(({ energyImportedKwh }) => energyImportedKwh),
        energy,
      ),
      ...(all.some(({ energyExportedKwh }) => energyExportedKwh > 0)
        ? [
            row(
              say('Energy exported'),
              all.map(({ energyExportedKwh }) => energyExportedKwh),
              energy,
            ),
          ]
        : []),
      ...currencies.map((currency) =>
        row(
          say('Total cost', currency),
          all.map((one) => costIn(one, currency)),
          (value) => format.money(value, currency),
        ),
      ),
      row(
        say('Peak demand'),
        all.map(({ peakPowerKw }) => peakPowerKw),
        (value) => format.power(value),
      ),
      ...(peakAt === null
        ? []
        : [[say('Peak demand time', format.timeZoneName(timeZone)), format.dateTime(peakAt, timeZone)]]),
      row(say('Average power'), [averagePowerKw, ...others.map((one) => one.averagePowerKw)], (value) =>
        format.power(value),
      ),
      row(mail.say('reportNight'), [baseLoad.kw, baseLoad.previousKw, ...others.slice(1).map(() => null)], (value) =>
        format.power(value),
      ),
    ],
    totals: [],
  };
}

function chartSections({ period, days, curve, range, timeZone, dates }: ClientContents, { say }: Writing) {
  const title = say(period === 'year' ? 'Energy by month' : 'Energy by day');
  const series = curve.series.map(({ id, name, averagePowerKw }) => ({ id, name, values: averagePowerKw }));
  const data = bridgedData(chartData(curve.times, curve.bucket, timeZone, range, series));
  return [
    {
      heading: title,
      paragraphs: [],
      chart: { kind: 'bars', unit: 'kWh', data: energyBars(days, dates.fromDate, period === 'year', title) },
    },
    { heading: say('Average power'), paragraphs: [], chart: { kind: 'plot', unit: 'kW', data, range, timeZone } },
  ] satisfies ReportSection[];
}

function nightSection({ baseLoad }: ClientContents, { mail, format }: Writing): ReportSection[] {
  const { kw, nightCount, costs } = baseLoad;
  const heading = mail.say('reportNight');
  if (kw === null) return [{ heading, paragraphs: [mail.say('reportFewNights')] }];
  return [
    {
      heading,
      paragraphs: [
        mail.say('reportNightText', { power: format.power(kw), nights: nightCount }),
        ...costs.map(({ currency, perYear }) =>
          mail.say('reportNightCost', { amount: format.moneyAbout(perYear, currency) }),
        ),
      ],
    },
  ];
}

function reasonSection({ reasons }: ClientContents, { mail, format }: Writing): ReportSection[] {
  const changed = reasons.filter(({ cost, otherCost }) => cost !== otherCost);
  if (changed.length === 0) return [];
  const paragraphs = changed.map(({ currency, cost, otherCost, quantityEffect, priceEffect }) =>
    mail.say('reportWhyText', {
      change: format.moneyChange(cost - otherCost, currency),
      usage: format.moneyChange(quantityEffect, currency),
      prices: format.moneyChange(priceEffect, currency),
    }),
  );
  return [{ heading: mail.say('reportWhy'), paragraphs }];
}

function costSection({ summary: { summary } }: ClientContents, { say, format }: Writing): ReportSection[] {
  return summary.costs.map(({ currency, fixedCharge, vat, total }) => {
    const lines = summary.periods.filter((line) => line.currency === currency);
    const largest = Math.max(0, ...lines.map(({ energyKwh }) => energyKwh));
    const charge = (label: string, amount: number) =>
      amount === 0 ? [] : [[label, '', '', format.money(amount, currency)]];
    return {
      heading: say('Periods', currency),
      paragraphs: [],
      table: {
        head: [say('Period'), say('Energy'), say('Rate per kWh'), say('Cost')],
        rows: [
          ...lines.map(({ name, energyKwh, ratePerKwh, cost }) => [
            periodName(say, name),
            format.energy(energyKwh, largest),
            format.pricePerKwh(ratePerKwh, currency),
            format.money(cost, currency),
          ]),
          ...charge(say('Fixed charge'), fixedCharge),
          ...charge(say('VAT'), vat),
        ],
        totals: [[say('Total'), '', '', format.money(total, currency)]],
      },
    };
  });
}

const maxWorst = 5;

function qualitySection({ summary: { quality } }: ClientContents, { say, mail, format }: Writing): ReportSection[] {
  const { devices } = quality;
  const sum = (of: (device: (typeof devices)[number]) => number) => devices.reduce((all, one) => all + of(one), 0);
  const measured = sum(({ slots }) => slots.measured);
  const interpolated = sum(({ slots }) => slots.interpolated);
  const missing = sum(({ slots }) => slots.missing);
  const all = measured + interpolated + missing;
  if (all === 0) return [];
  const anomalies = qualityFlagKind.options.flatMap((kind) => {
    const count = sum(({ counts }) => counts[kind]);
    return count === 0 ? [] : [`${say(flagNames[kind][1])} ${format.integer(count)}`];
  });
  const worst = devices
    .filter(({ slots }) => slots.missing + slots.interpolated > 0)
    .toSorted((a, b) => b.slots.missing + b.slots.interpolated - a.slots.missing - a.slots.interpolated)
    .slice(0, maxWorst);
  return [
    {
      heading: say('Data quality'),
      paragraphs: [
        mail.say('reportQuality', {
          measured: format.percent(measured / all, 1),
          interpolated: format.percent(interpolated / all, 1),
          missing: format.percent(missing / all, 1),
        }),
        ...(anomalies.length === 0 ? [] : [format.list(anomalies)]),
      ],
      ...(worst.length === 0
        ? {}
        : {
            table: {
              head: [say('Device'), say('Site'), say('Interpolated quarter-hours'), say('Missing quarter-hours')],
              rows: worst.map(({ deviceName, siteName, slots }) => [
                deviceName,
                siteName,
                format.integer(slots.interpolated),
                format.integer(slots.missing),
              ]),
              totals: [],
            },
          }),
    },
  ];
}

function alarmSection({ alarms, alarmCount, timeZone }: ReportContents, writing: Writing): ReportSection {
  const { say, mail, format, language } = writing;
  const heading = mail.say('alarms');
  if (alarmCount === 0) return { heading, paragraphs: [mail.say('reportNoAlarms')] };
  const more = alarmCount - alarms.length;
  const zone = format.timeZoneName(timeZone);
  return {
    heading,
    paragraphs: more > 0 ? [mail.say('reportMore', { count: more })] : [],
    table: {
      head: [say('From', zone), say('Until', zone), heading],
      rows: alarms.map((alarm) => [
        format.dateTime(alarm.firingAt, timeZone),
        alarm.resolvedAt === null ? unknownValue : format.dateTime(alarm.resolvedAt, timeZone),
        describeAlarm({ ...alarm, subjectName: alarm.subject.name }, { language, texts: mail.alarmTexts }),
      ]),
      totals: [],
    },
  };
}

function writeFleet(contents: FleetContents, { say, mail, format }: Writing) {
  const { customers, groups, leftOut, period } = contents;
  const { energyImportedKwh, energyExportedKwh, costs } = figuresOf(contents);
  const largest = Math.max(0, ...customers.map((one) => one.energyImportedKwh));
  const title = say(period === 'year' ? 'Energy by month' : 'Energy by day');
  const named = customers.map(({ id, name, energyKwh }) => ({ id, name, values: energyKwh }));
  const values = groups.map((_, at) => sumOf(named, at));
  const chart: ReportSection[] =
    customers.length === 0
      ? []
      : [
          {
            heading: title,
            paragraphs: [],
            chart: { kind: 'bars', unit: 'kWh', data: { groups, series: [{ id: 'energy', name: title, values }] } },
          },
        ];
  return {
    subtitle: `${say('Customers')}: ${format.integer(customers.length)}`,
    sections: [
      {
        heading: say('Totals'),
        paragraphs: [],
        table: {
          head: [say('Metric'), say('Value')],
          rows: [
            [say('Customers'), format.integer(customers.length)],
            ...[...Map.groupBy(customers, ({ state }) => state)].map(([state, own]) => [
              `${say('Status')}: ${say(customerStateNames[state])}`,
              format.integer(own.length),
            ]),
            [say('Energy imported'), format.energy(energyImportedKwh)],
            ...(energyExportedKwh > 0 ? [[say('Energy exported'), format.energy(energyExportedKwh)]] : []),
            ...costs.map(({ currency, total }) => [say('Total cost', currency), format.money(total, currency)]),
          ],
          totals: [],
        },
      },
      ...chart,
      {
        heading: say('Customers'),
        paragraphs: leftOut > 0 ? [mail.say('reportLeftOut', { count: leftOut })] : [],
        table: {
          head: [
            say('Customer'),
            say('Status'),
            say('Devices'),
            say('Energy imported'),
            say('Total cost'),
            mail.say('alarms'),
          ],
          rows: customers.map((one) => [
            one.name,
            say(customerStateNames[one.state]),
            format.integer(one.deviceCount),
            format.energy(one.energyImportedKwh, largest),
            one.costs.map(({ currency, total }) => format.money(total, currency)).join(', ') || unknownValue,
            format.integer(one.alarmCount),
          ]),
          totals: [],
        },
      },
    ],
    notes: [],
  };
}
