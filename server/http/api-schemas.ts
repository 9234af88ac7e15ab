import { z } from 'zod';
import * as accounts from '../../shared/accounts.ts';
import * as alarms from '../../shared/alarms.ts';
import * as app from '../../shared/app.ts';
import * as arrivals from '../../shared/arrivals.ts';
import * as audit from '../../shared/audit.ts';
import * as comparison from '../../shared/comparison.ts';
import * as dashboard from '../../shared/dashboard.ts';
import * as dataQuality from '../../shared/data-quality.ts';
import * as embeddedDashboards from '../../shared/embedded-dashboards.ts';
import * as fleet from '../../shared/fleet.ts';
import * as intervals from '../../shared/intervals.ts';
import * as measurements from '../../shared/measurements.ts';
import * as messages from '../../shared/messages.ts';
import * as notifications from '../../shared/notifications.ts';
import * as passkeys from '../../shared/passkeys.ts';
import * as primitives from '../../shared/primitives.ts';
import * as push from '../../shared/push.ts';
import * as rates from '../../shared/rates.ts';
import * as removals from '../../shared/removals.ts';
import * as reportSubscriptions from '../../shared/report-subscriptions.ts';
import * as reports from '../../shared/reports.ts';
import * as siteTable from '../../shared/site-table.ts';
import * as sites from '../../shared/sites.ts';

const modules = [
  accounts,
  alarms,
  app,
  arrivals,
  audit,
  comparison,
  dashboard,
  dataQuality,
  embeddedDashboards,
  fleet,
  intervals,
  measurements,
  messages,
  notifications,
  passkeys,
  primitives,
  push,
  rates,
  removals,
  reportSubscriptions,
  reports,
  siteTable,
  sites,
];

/** Not in bodies: parameters and headers are described one by one. */
const notInBodies = new Set([
  'alarmsQuery',
  'auditQuery',
  'fleetDashboardQuery',
  'fleetIngestHeaders',
  'idParams',
  'searchQuery',
]);

/** Parts of schemas, and schemas whose name in the API document differs from the name here. */
const named = {
  Arrivals: arrivals.incoming,
  AuthenticatorAppStep: accounts.newAppStep,
  BaseLoadCost: dashboard.baseLoad.shape.costs.element,
  BaseLoadOfDevice: dashboard.baseLoad.shape.devices.element,
  BatchResult: push.fleetIngestResult,
  BucketedMeasurement: measurements.bucketedRow,
  ClientAlarmRule: alarms.clientAlarmRule,
  ClientAlarmRuleWrite: alarms.clientAlarmRuleWrite,
  ComparedCost: comparison.costComparison.shape.totals.element,
  ComparedCostLine: comparison.costComparison.shape.lines.element,
  ComparedDeviceCost: comparison.costComparison.shape.devices.element,
  CustomerDetailCounts: fleet.customerDetail.shape.counts,
  CustomerDetailCustomer: fleet.customerDetail.shape.customer,
  CustomerDetailDevice: fleet.customerDetail.shape.devices.element,
  CustomerDetailMeasurement: fleet.customerDetail.shape.measurements.element,
  CustomerDetailSite: fleet.customerDetail.shape.sites.element,
  CustomerDetailTariff: fleet.customerDetail.shape.tariffs.element,
  DayDifference: push.reconciliationState.shape.differences.element,
  DayQuality: dataQuality.dataQuality.shape.days.element,
  DeviceEnergyCost: dashboard.dashboardSummary.shape.devices.element.shape.costs.element,
  DeviceQuality: dataQuality.dataQuality.shape.devices.element,
  DeviceSummary: dashboard.dashboardSummary.shape.devices.element,
  Error: primitives.errorBody,
  FleetAlarmRule: alarms.fleetAlarmRule,
  FleetAlarmRuleWrite: alarms.fleetAlarmRuleWrite,
  LoadCurveSeries: dashboard.loadCurve.shape.series.element,
  MeterBalance: dataQuality.dataQuality.shape.balances.element,
  MonthCost: rates.costPreview.shape.months.element.shape.before,
  MonthPreview: rates.costPreview.shape.months.element,
  Message: messages.messageShape,
  MunicipalityPreview: sites.municipalityPreviewQuestion,
  NewAuthenticatorApp: accounts.newApp,
  Passkey: passkeys.listedPasskey,
  PasskeyAlgorithm: passkeys.newPasskeyStep.shape.options.shape.pubKeyCredParams.element,
  PasskeyCredential: passkeys.newPasskeyStep.shape.options.shape.excludeCredentials.element,
  PushState: push.pushOverview,
  PushedDevice: push.fleetRecords.devices,
  PushedInterval: push.fleetInterval,
  PushedMeasurement: push.fleetMeasurement,
  PushedMunicipality: push.fleetRecords.municipalities,
  PushedRecord: push.fleetRecord,
  PushedSite: push.fleetRecords.sites,
  PushedTariff: push.fleetRecords.tariffs,
  PushedTariffPeriod: push.fleetRecords.tariffs.shape.periods.unwrap().element,
  QualityCounts: dataQuality.dataQuality.shape.devices.element.shape.counts,
  RawMeasurement: measurements.rawMeasurementRow,
  RecoveryCodes: accounts.renewedCodes,
  RejectedRecord: push.fleetIngestResult.shape.errors.element,
  RejectedRow: measurements.ingestResult.shape.errors.element,
  SecondFactor: passkeys.ownSecondFactor,
  SecondFactorResult: accounts.secondFactorAnswer,
  Session: accounts.listedSession,
  Setting: app.configEntry,
  SignInRequest: accounts.loginRequest,
  SitePreview: sites.sitePreviewQuestion,
  SiteSummary: dashboard.dashboardSummary.shape.sites.element,
  SiteTableCheck: siteTable.tableCheck,
  SiteTableCounts: siteTable.tableCounts,
  SiteTableProblem: siteTable.tableCheck.shape.problems.element,
  TariffChange: rates.tariffPreviewQuestion.shape.changes.element,
  TariffDays: dashboard.tariffDays.element,
  TariffPeriodCost: dashboard.pricedPeriod,
  TariffPreview: rates.tariffPreviewQuestion,
  TokenRotation: fleet.tokenRotation.unwrap().unwrap(),
  UsualEnergy: dashboard.usualLoad.shape.energy.unwrap(),
} satisfies Record<string, z.ZodType>;

/**
 * Names schemas in the API document and in generated clients; a name is never changed. Every JSON body is one of them or a list
 * of one. An object or an enum of shared/ has the name of its constant unless the table above has another.
 */
export function nameSchemas(): void {
  const names = new Map<z.ZodType, string>();
  for (const [constant, schema] of modules.flatMap((module) => Object.entries<unknown>(module))) {
    const isNamed = schema instanceof z.ZodObject || schema instanceof z.ZodEnum;
    if (isNamed && !notInBodies.has(constant)) names.set(schema, constant.charAt(0).toUpperCase() + constant.slice(1));
  }
  for (const [name, schema] of Object.entries<z.ZodType>(named)) names.set(schema, name);
  for (const [schema, id] of names) z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
}
