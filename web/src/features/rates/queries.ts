import { useMutation } from '@tanstack/react-query';
import {
  simulationResult,
  tariff,
  type Simulation,
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

/** `POST /api/rates/simulate`: what a load would cost, with what was asked; nothing is stored. */
export function useSimulate() {
  return useMutation({
    mutationFn: async (request: SimulationRequest) => ({
      request,
      result: await fetchJson('/api/rates/simulate', simulationResult, { method: 'POST', json: request }),
    }),
  });
}
