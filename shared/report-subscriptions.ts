import { z } from 'zod';
import type { Format } from './format.ts';
import { languages } from './messages.ts';
import { email, guid, instant, localDate, name } from './primitives.ts';

/** A report is large, and nobody reads more than these. */
export const maxReportSubscriptions = 50;
/** Of a RestrictedAdmin, so that they leave room for others. */
export const maxOwnReportSubscriptions = 5;
export const maxReportRecipients = 20;
/** The newest kept reports of a subscription; older ones are deleted. */
export const keptReportsOfSubscription = 60;
/** Over all subscriptions, also deleted ones. */
export const maxKeptReports = 1_000;
export const maxListedReports = 200;
/** Customers in a fleet report, the first by name. */
export const maxReportedCustomers = 500;

/** Weeks begin on Mondays. */
export const reportedPeriod = z.enum(['week', 'month', 'year']);
export type ReportedPeriod = z.infer<typeof reportedPeriod>;

const recipient = z.union([
  z.strictObject({ userId: guid }),
  z.strictObject({ email, language: z.enum(languages).default('en') }),
]);
export type ReportRecipient = z.infer<typeof recipient>;

/** `PUT /api/admin/report-subscriptions/{id}`: always all fields. */
export const reportSubscriptionWrite = z.object({
  name: name(200),
  isActive: z.boolean().default(true),
  period: reportedPeriod,
  hasWorkbook: z.boolean().default(false).meta({ description: 'Whether a workbook is attached besides the PDF.' }),
  subjectIds: z
    .array(guid)
    .max(maxReportedCustomers)
    .transform((given) => [...new Set(given)].toSorted())
    .default([])
    .meta({ description: 'Sites of a Client, customers of an Admin; empty: all.' }),
  recipients: z.array(recipient).max(maxReportRecipients).default([]).meta({
    description:
      'Empty: the report goes to you. Accounts get it in the language of /api/me/notifications, also by their address; others in the given one. A recipient who may not see the data when the report is sent gets nothing.',
  }),
});
export type ReportSubscriptionWrite = z.infer<typeof reportSubscriptionWrite>;
export const reportSubscription = z.object({
  id: guid,
  name: z.string(),
  isActive: z.boolean(),
  period: reportedPeriod,
  hasWorkbook: z.boolean(),
  subjectIds: z.array(guid),
  recipients: z.array(recipient),
  createdAt: instant,
});
export type ReportSubscription = z.infer<typeof reportSubscription>;

export const reportCost = z.object({ currency: z.string(), total: z.number() });

/** The figures that a kept report is compared by. */
export const reportFigures = z.object({
  energyImportedKwh: z.number(),
  energyExportedKwh: z.number(),
  peakPowerKw: z.number().nullable().meta({ description: 'Null in a fleet report.' }),
  costs: z.array(reportCost),
});
export type ReportFigures = z.infer<typeof reportFigures>;

/** `GET /api/reports`: a report as it was sent; it never changes. */
export const keptReport = z.object({
  id: guid,
  subscriptionId: guid.meta({ description: 'May be deleted.' }),
  name: z.string(),
  period: reportedPeriod,
  fromDate: localDate,
  toDate: localDate.meta({ description: 'The day after the last one.' }),
  readAt: instant.meta({ description: 'All its figures are of the data at this instant.' }),
  recipientCount: z.int(),
  figures: reportFigures,
});
export type KeptReport = z.infer<typeof keptReport>;

export const reportChange = z.object({
  figure: z.enum(['energyImportedKwh', 'energyExportedKwh', 'peakPowerKw', 'cost']),
  currency: z.string().nullable().meta({ description: 'Of a cost.' }),
  kept: z.number().nullable(),
  now: z.number().nullable(),
});

/** `GET /api/reports/{id}/changes`: what a kept report would say now. */
export const reportChanges = z.object({
  comparedAt: instant,
  changes: z
    .array(reportChange)
    .meta({ description: 'The figures that later readings or tariffs have changed; empty: none.' }),
});
export type ReportChanges = z.infer<typeof reportChanges>;

const utc = (date: string) => Date.parse(`${date}T00:00Z`);

/** The period of a report, such as "March 2026". */
export function reportedPeriodLabel(
  period: ReportedPeriod,
  { fromDate, toDate }: Pick<KeptReport, 'fromDate' | 'toDate'>,
  format: Pick<Format, 'year' | 'month' | 'dateSpan'>,
): string {
  if (period === 'year') return format.year(utc(fromDate), 'UTC');
  if (period === 'month') return format.month(utc(fromDate), 'UTC');
  return format.dateSpan(utc(fromDate), utc(toDate) - 1, 'UTC');
}
