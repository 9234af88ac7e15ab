import { colorsById, nameNumber, type ChartColors } from '../../../../shared/charts/drawing.ts';

/** The color of each band, by name. It is the color of the tariff period in charts. */
export function bandColors(bands: readonly { name: string }[], colors: ChartColors): string[] {
  const series = bands.map(({ name }, index) => ({
    id: String(index),
    ...(name.trim() === '' ? {} : { colorNumber: nameNumber(name) }),
  }));
  const byId = colorsById(series, colors);
  return series.map(({ id }) => byId.get(id) ?? colors.text);
}
