// Draws the charts and the PDF of a report in a thread of its own, so that requests never wait for them.
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { barMarks, labelSize, type Mark, plotMarks, type TextWidth } from '../../shared/charts/marks.ts';
import { colorsById, drawnShapes } from '../../shared/charts/drawing.ts';
import { seriesColors } from '../../shared/charts/series-colors.ts';
import { createFormat } from '../../shared/format.ts';
import type { ReportChart } from './document.ts';
import {
  chartInk,
  chartSize,
  type FromRenderThread,
  type RenderFiles,
  type RenderJob,
  type ToRenderThread,
} from './render-job.ts';
import { PdfWriter } from './pdf-writer.ts';
import { Typeface } from './typeface.ts';

let tools: Promise<Typeface> | undefined;

parentPort?.on('message', (message: ToRenderThread) => {
  if ('files' in message) {
    tools = prepare(message.files);
    return;
  }
  render(message.job)
    .then((rendered) => parentPort?.postMessage(rendered, []))
    .catch((error: unknown) => {
      const answer: FromRenderThread = { failure: error instanceof Error ? error.message : String(error) };
      parentPort?.postMessage(answer, []);
    });
});

async function prepare({ fonts, wasm }: RenderFiles): Promise<Typeface> {
  await initWasm(wasm);
  return new Typeface(fonts);
}

async function render({ document, colors }: RenderJob): Promise<FromRenderThread> {
  const typeface = await tools;
  if (typeface === undefined) throw new Error('The thread has no fonts yet.');
  const charts = document.sections.map(({ chart }) =>
    chart === undefined ? null : draw(chart, document.language, document.brand.primaryColor, typeface),
  );
  const pictures = charts.flatMap((marks) => (marks === null ? [] : [pictureOf(marks, typeface)]));
  const pdf = await new PdfWriter(typeface, colors, document).write(charts);
  return { pdf, pictures };
}

/** The marks of a chart, by the functions with which the page draws. */
function draw(chart: ReportChart, language: string, primaryColor: string, typeface: Typeface): Mark[] {
  const textWidth: TextWidth = (text, { isStrong = false } = {}) => typeface.widthOf(text, labelSize, isStrong);
  const parts = { format: createFormat(language), textWidth };
  const colors = { series: seriesColors({ primaryColor }, 'light'), others: '#8a9099', ...chartInk };
  const colorOf = colorsById(chart.data.series, colors);
  const { unit } = chart;
  if (chart.kind === 'bars') return barMarks({ data: chart.data, colorOf, unit, ...chartSize }, parts).marks;
  const { range, timeZone } = chart;
  return plotMarks({ shapes: drawnShapes(chart.data, 'stack', colorOf), range, timeZone, unit, ...chartSize }, parts);
}

const zoom = 2;

/** A PNG with twice as many pixels as the chart is wide, for dense screens. */
function pictureOf(marks: readonly Mark[], typeface: Typeface): Uint8Array {
  const { width, height } = chartSize;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#ffffff"/>${marks.map((mark) => svgOf(mark, typeface)).join('')}</svg>`;
  const drawing = new Resvg(svg, { fitTo: { mode: 'zoom', value: zoom }, font: { loadSystemFonts: false } });
  const image = drawing.render();
  const png = image.asPng();
  image.free();
  drawing.free();
  return png;
}

/** Letters are drawn as paths, so that the picture has the typeface of the portal. */
function svgOf(mark: Mark, typeface: Typeface): string {
  if (mark.kind === 'line') {
    const { x1, x2, y1, y2, tone } = mark;
    return `<line x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}" stroke="${chartInk[tone]}"/>`;
  }
  if (mark.kind === 'text') {
    const { text, anchor, isStrong = false, y } = mark;
    const width = typeface.widthOf(text, labelSize, isStrong);
    let x = mark.x - (anchor === 'middle' ? width / 2 : anchor === 'end' ? width : 0);
    const fill = isStrong ? chartInk.text : chartInk.dimmed;
    return typeface
      .glyphsOf(text, labelSize, isStrong)
      .map(({ d, advance, scale }) => {
        const drawn = `<path transform="translate(${x} ${y}) scale(${scale} ${-scale})" d="${d}" fill="${fill}"/>`;
        x += advance;
        return d === '' ? '' : drawn;
      })
      .join('');
  }
  const { d, fill = 'none', fillOpacity = 1, stroke } = mark;
  const line =
    stroke === undefined
      ? ''
      : ` stroke="${stroke.color}" stroke-width="${stroke.width}" stroke-linejoin="round"${stroke.isRound === true ? ' stroke-linecap="round"' : ''}${stroke.dash === undefined ? '' : ` stroke-dasharray="${stroke.dash.join(' ')}"`}`;
  return `<path d="${d}" fill="${fill}" fill-opacity="${fillOpacity}"${line}/>`;
}
