import { z } from 'zod';
import { text } from './primitives.ts';

/** A month or a year that is reported about: nothing was measured before 2000, and nobody reports on the centuries to come. */
export const reportPeriod = z
  .string()
  .regex(/^20\d\d(?:-(?:0[1-9]|1[0-2]))?$/, 'mustBeReportPeriod')
  .meta({ example: '2026-03' });

export const maxRemarkLength = 2_000;

/** `/api/report/remark`: what somebody remarks about a report; empty where nobody does. */
export const reportRemark = z.object({ remark: text(0, maxRemarkLength) });
export type ReportRemark = z.infer<typeof reportRemark>;
