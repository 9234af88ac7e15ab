/** The search parameters of the page of a new tariff. */
export interface NewTariffSearch {
  /** Id of the municipality of the new tariff. */
  municipality: string;
  /** Id of the tariff from which the new one takes its prices, as its next version. */
  copy?: string;
}

export function readNewTariffSearch({ municipality, copy }: Record<string, unknown>): NewTariffSearch {
  return {
    municipality: typeof municipality === 'string' ? municipality : '',
    ...(typeof copy === 'string' && copy !== '' ? { copy } : {}),
  };
}
