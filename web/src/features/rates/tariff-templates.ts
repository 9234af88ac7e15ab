import { newBand, newTime, type Band } from './bands.ts';

/** The usual shapes of a contract. They have times and names, but no prices: those stand in the contract. */
export const tariffTemplates = ['flat', 'dayAndNight', 'weekend', 'threeRates'] as const;
export type TariffTemplate = (typeof tariffTemplates)[number];

export type TemplateBandName = 'night' | 'weekend' | 'peak' | 'offPeak';

const [monToFri, satAndSun, all] = [31, 96, 127];
interface TemplateTime {
  daysOfWeek: number;
  start: string;
  end: string;
}
const shapes: Record<TariffTemplate, Partial<Record<TemplateBandName, readonly TemplateTime[]>>> = {
  flat: {},
  dayAndNight: { night: [{ daysOfWeek: all, start: '22:00', end: '06:00' }] },
  weekend: { weekend: [{ daysOfWeek: satAndSun, start: '00:00', end: '24:00' }] },
  threeRates: {
    peak: [{ daysOfWeek: monToFri, start: '17:00', end: '21:00' }],
    offPeak: [{ daysOfWeek: all, start: '22:00', end: '06:00' }],
  },
};

const bandNames: readonly TemplateBandName[] = ['night', 'weekend', 'peak', 'offPeak'];

/** The periods of a template, to be painted differently and priced. */
export function bandsOfTemplate(template: TariffTemplate, nameOf: (name: TemplateBandName) => string): Band[] {
  return bandNames.flatMap((name) => {
    const times = shapes[template][name];
    return times === undefined
      ? []
      : [{ ...newBand(), name: nameOf(name), times: times.map((time) => ({ ...newTime(), ...time })) }];
  });
}
