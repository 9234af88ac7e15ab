/** The search parameters of the page of a new tariff. */
export interface NewTariffSearch {
  /** Id of the municipality that it is for. */
  municipality: string;
  /** Id of the tariff whose prices it starts with, as its next version. */
  copy?: string;
}

export function readNewTariffSearch({ municipality, copy }: Record<string, unknown>): NewTariffSearch {
  return {
    municipality: typeof municipality === 'string' ? municipality : '',
    ...(typeof copy === 'string' && copy !== '' ? { copy } : {}),
  };
}
