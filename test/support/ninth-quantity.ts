// `node --import` of this file: the program with one more row in the table of quantities.
import { registerHooks } from 'node:module';

const table = new URL('../../shared/quantities.ts', import.meta.url).href;
const end = '] as const satisfies readonly QuantityRow[]';
const row = `{
  name: 'distortionPercent',
  unit: '%',
  column: 'distortion_thousandths',
  type: 'integer',
  decimals: 3,
  limits: [0, 400],
  statistic: 'mean',
  label: 'Harmonic distortion',
  description: 'Total harmonic distortion of the voltage.',
  exportDecimals: 1,
  pageDecimals: 1,
  hasZero: false,
  measure: 'distortion',
},`;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url !== table) return loaded;
    const source = String(loaded.source);
    if (!source.includes(end)) throw new Error('The end of the table of quantities was not found.');
    return { ...loaded, source: source.replace(end, row + end) };
  },
});
