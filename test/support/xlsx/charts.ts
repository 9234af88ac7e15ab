import type { OpcPackage } from './opc.ts';
import { descendantsOf, readTree } from './xml.ts';

export interface Chart {
  part: string;
  /** `lineChart`, `barChart` … in the order of the file. */
  kinds: readonly string[];
  /** The ranges that it draws, names of its series included. */
  ranges: readonly string[];
}

const drawingNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const chartNamespace = 'http://schemas.openxmlformats.org/drawingml/2006/chart';

/** The charts that are drawn on a sheet. Throws when a drawing or a chart is another kind of document. */
export function readCharts({ parts, relationshipsOf }: OpcPackage, sheetPart: string): Chart[] {
  const targets = (source: string, wanted: string) =>
    relationshipsOf(source).flatMap(({ kind, target }) => (kind === wanted ? [target] : []));
  const read = (name: string, namespace: string, root: string) =>
    readTree({ name, bytes: parts.get(name) ?? Buffer.alloc(0), root: { namespace, name: root } }).root;
  return targets(sheetPart, 'drawing').flatMap((drawing) => {
    read(drawing, drawingNamespace, 'wsDr');
    return targets(drawing, 'chart').map((part) => {
      const nodes = [...descendantsOf(read(part, chartNamespace, 'chartSpace'))];
      const kinds = nodes.flatMap(({ name }) => (/^[a-z]+(3D)?Chart$/iu.test(name) ? [name] : []));
      const ranges = nodes.flatMap(({ name, text }) => (name === 'f' ? [text] : []));
      if (kinds.length === 0 || ranges.length === 0) throw new Error(`${part} draws nothing.`);
      return { part, kinds, ranges };
    });
  });
}
