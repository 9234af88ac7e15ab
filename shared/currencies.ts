const withoutMinorUnit = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const withThousandths = 'BHD IQD JOD KWD LYD OMR TND';

/** The decimals of a currency's minor unit (ISO 4217), as in the server's domain. Not those of Intl: none for HUF or IDR. */
export function minorDigits(currency: string): number {
  if (withoutMinorUnit.includes(currency)) return 0;
  return withThousandths.includes(currency) ? 3 : 2;
}
