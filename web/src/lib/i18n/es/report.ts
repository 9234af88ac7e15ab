import type { Translated } from '../catalogue.ts';
import type { report as english } from '../en/report.ts';

export const report: Translated<typeof english> = {
  print: 'Imprimir o guardar como PDF',
  month: 'Mes o año del informe',
  months: 'Meses',
  years: 'Años',
  previous: 'Informe anterior',
  next: 'Informe siguiente',
  allSites: 'Todas las sedes ({sites, number}), {devices, plural, one {# equipo} other {# equipos}}',
  noDevices: 'No hay tales equipos.',
  notBegun: 'El período aún no ha empezado',
  notBegunText: 'Elija un mes o un año que haya empezado.',
  figures: 'Cifras clave',
  figure: 'Cifra',
  change: 'desde entonces {change}',
  energyByDay: 'Energía por día',
  energyByMonth: 'Energía por mes',
  peak: 'Demanda máxima: {power} en el cuarto de hora desde el {time}',
  peakNote: 'Qué consumía más entonces',
  cost: 'Coste por período tarifario',
  costNote:
    'Las líneas del mismo nombre y precio en varias sedes están juntas. Cada importe se redondea a la unidad menor de la moneda, y las líneas suman el total.',
  bySite: 'Por sede',
  byDevice: 'Parte de cada equipo',
  otherDevices: '{count, plural, one {# equipo más} other {# equipos más}}',
  otherSubMeters:
    '{count, plural, one {# subcontador más, incluido en el contador del que depende} other {# subcontadores más, incluidos en los contadores de los que dependen}}',
  otherSites: '{count, plural, one {# sede más} other {# sedes más}}',
  ownRemark: {
    add: 'Añadir una observación',
    change: 'Cambiar la observación',
    label: 'Observación',
    hint: 'Aparece en este informe para todos los que lo abran o impriman. Como máximo {max} caracteres; vacía, desaparece.',
    saved: 'La observación está guardada.',
  },
  remarks: {
    title: 'Observaciones',
    running:
      'El período no ha terminado: todas las cifras llegan hasta {until}, las de al lado hasta el mismo punto del suyo.',
    nothing: 'No se midió nada.',
    noneBefore: 'No hay lecturas con las que comparar en el periodo {range}.',
    measuredThen: 'De la energía de este informe solo se midió el {share} en el periodo {range}.',
    measuredNow: 'De la energía del periodo {range} solo se mide el {share} en este informe.',
    estimated: '{energy} ({share}) se repartió sobre huecos entre lecturas.',
    unpriced: '{energy} no tiene precio porque no había ninguna tarifa en vigor; no está en ningún importe.',
    quiet: 'No midieron nada: {names}{more, plural, =0 {} one { y # equipo más} other { y # equipos más}}.',
    tariffs: '{site}: hubo varias tarifas en vigor, {tariffs}.',
    clocks: 'Cambio de hora: el {day} tuvo {hours} horas.',
    readAt: 'Leído del portal el {time}.',
  },
};
