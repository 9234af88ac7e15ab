import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { z } from 'zod';
import { costBreakdown, type CostBreakdown } from '../../../../shared/dashboard.ts';
import {
  municipalityWithTariffs,
  simulationResult,
  tariff,
  costPreview,
  type Tariff,
  type CostPreview,
  type TariffPreviewQuestion,
  type Simulation,
  type SimulationResult,
  type TariffTerms,
  type TariffWrite,
} from '../../../../shared/rates.ts';
import { tariffVersion } from '../../../../shared/versions.ts';
import { fetchJson } from '../../lib/http.ts';
import { useRenewAll } from '../../entities/rates.ts';
import { useDelete } from '../../lib/mutations.ts';
import { type RecordFields, urlUnder, useSaveRecord } from '../../lib/records.ts';
import { useFormat } from '../../lib/use-format.ts';
import { addDays, utcMs } from './local-dates.ts';
import { daysText, useWeekdayNames } from '../../lib/weekdays.ts';
import { searchFor } from '../../../../shared/search-text.ts';

const path = '/api/admin/rates/tariffs';

/** The fields of a tariff, as its form and an edit conflict show them. */
export function useTariffFields(): RecordFields<Omit<TariffWrite, 'municipalityId'>> {
  const t = useTranslations();
  const weekdays = useWeekdayNames();
  const format = useFormat();
  const day = (date: string) => format.date(utcMs(date), 'UTC');
  return {
    name: { label: t('common.name') },
    currency: { label: t('terms.currency') },
    isActive: { label: t('rates.form.active') },
    effectiveFrom: { label: t('terms.firstDay'), text: ({ effectiveFrom }) => day(effectiveFrom) },
    effectiveTo: {
      label: t('terms.lastDay'),
      text: ({ effectiveTo }) => (effectiveTo === null ? '' : day(addDays(effectiveTo, -1))),
    },
    defaultRatePerKwh: {
      label: t('terms.defaultRate'),
      text: (of) => format.pricePerKwh(of.defaultRatePerKwh, of.currency),
    },
    fixedChargePerMonth: {
      label: t('rates.form.fixedCharge'),
      text: (of) => format.price(of.fixedChargePerMonth, of.currency),
    },
    vatPercent: { label: t('terms.vat'), text: ({ vatPercent }) => format.percent(vatPercent / 100, 10) },
    exportRatePerKwh: {
      label: t('rates.form.exportRate'),
      text: ({ exportRatePerKwh, currency }) =>
        exportRatePerKwh === null ? '' : format.pricePerKwh(exportRatePerKwh, currency),
    },
    periods: {
      label: t('rates.bands.title'),
      text: ({ periods, currency }) =>
        periods
          .map(({ name, daysOfWeek, startTime, endTime, ratePerKwh }) =>
            format.labelled(
              name,
              `${daysText(daysOfWeek, weekdays.short)} ${startTime}–${endTime} ${format.pricePerKwh(ratePerKwh, currency)}`,
            ),
          )
          .join('; '),
    },
  };
}

/** Writes a whole tariff, with its periods. */
export const useSaveTariff = () =>
  useSaveRecord<TariffWrite, Tariff>({
    urlOf: urlUnder(path),
    answer: tariff,
    versionOf: tariffVersion,
    read: async (seen) => {
      const listed = await fetchJson('/api/rates', z.array(municipalityWithTariffs));
      return listed.flatMap(({ tariffs }) => tariffs).find(({ id }) => id === seen.id);
    },
    fields: useTariffFields(),
    renew: useRenewAll(),
  });

/** The effect of the changes on past months. Nothing is stored. */
export const previewTariffs = (question: TariffPreviewQuestion): Promise<CostPreview> =>
  fetchJson(`${path}/preview`, costPreview, { method: 'POST', json: question });

export const useDeleteTariff = () => useDelete<Tariff>(path, tariffVersion, useRenewAll());

export interface SimulationRequest extends Simulation {
  tariff: TariffTerms;
}

/** The cost of a load, with the input. For real devices, it includes their cost on the tariffs in force. */
export interface Calculation {
  request: SimulationRequest;
  result: SimulationResult;
  /** Null for a simulated load. */
  actual: CostBreakdown | null;
}

/** `POST /api/rates/simulate` and, for devices, `GET /api/dashboard/cost-breakdown` of the same range; nothing is stored. */
export function useCalculate() {
  return useMutation({
    mutationFn: async (request: SimulationRequest): Promise<Calculation> => {
      const simulated = fetchJson('/api/rates/simulate', simulationResult, { method: 'POST', json: request });
      const [result, actual] = await Promise.all([simulated, fetchActual(request)]);
      return { request, result, actual };
    },
  });
}

async function fetchActual({ from, to, load }: SimulationRequest): Promise<CostBreakdown | null> {
  if (load.kind === 'constant') return null;
  const query = { from, to, group: 'period', deviceIds: load.deviceIds?.join(',') };
  return fetchJson('/api/dashboard/cost-breakdown', costBreakdown, { query });
}

interface Municipality {
  name: string;
  timeZone: string;
  tariffs: readonly { name: string }[];
}

/** The municipalities that match a search by name, zone, or name of one of their tariffs. */
export function findRates<Found extends Municipality>(rates: readonly Found[], search: string): readonly Found[] {
  const matches = searchFor(search);
  return rates.filter(({ name, timeZone, tariffs }) =>
    [timeZone.replaceAll('_', ' '), ...tariffs.map((tariff) => tariff.name)].some((text) => matches(`${name} ${text}`)),
  );
}
