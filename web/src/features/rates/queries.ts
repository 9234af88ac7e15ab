import { useMutation } from '@tanstack/react-query';
import { costBreakdown, type CostBreakdown } from '../../../../shared/costs.ts';
import {
  simulationResult,
  tariff,
  type Simulation,
  type SimulationResult,
  type TariffTerms,
  type TariffWrite,
} from '../../../../shared/rates.ts';
import { fetchJson, fetchNothing } from '../../lib/http.ts';
import { useRenewAll } from '../../lib/rates.ts';

const path = '/api/admin/rates/tariffs';

export interface TariffSave {
  /** Null creates a new one. */
  id: string | null;
  values: TariffWrite;
}

/** Writes a tariff whole, with its periods. */
export function useSaveTariff() {
  return useMutation({
    mutationFn: ({ id, values }: TariffSave) =>
      id === null
        ? fetchJson(path, tariff, { method: 'POST', json: values })
        : fetchJson(`${path}/${id}`, tariff, { method: 'PUT', json: values }),
    onSuccess: useRenewAll(),
  });
}

export function useDeleteTariff() {
  return useMutation({
    mutationFn: (id: string) => fetchNothing(`${path}/${id}`, { method: 'DELETE' }),
    onSuccess: useRenewAll(),
  });
}

export interface SimulationRequest extends Simulation {
  tariff: TariffTerms;
}

/** What a load would cost, with what was asked; for real devices also what they cost on the tariffs in force. */
export interface Calculation {
  request: SimulationRequest;
  result: SimulationResult;
  /** Null for a load that is not real. */
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
