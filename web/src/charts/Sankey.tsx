import { useMemo, useRef, useState, type PointerEvent } from 'react';
import { ChartTooltip, type TooltipContent } from './ChartTooltip.tsx';
import classes from './plot.module.css';
import { placeFlows, type Flow } from './sankey.ts';
import chart from './TimeChart.module.css';
import { useChartWidth, cutText, textWidth } from './use-chart-width.ts';

interface SankeyProps {
  /** The nodes, in their order from the top. */
  nodes: readonly { id: string; name: string; color: string }[];
  flows: readonly Flow[];
  formatAmount: (amount: number) => string;
  /** What the amounts measure. */
  amountName: string;
  height: number;
  /** A description of the chart for screen readers. */
  label: string;
}

const nodeWidth = 14;
/** px between a node and its name, and between the name and the next column. */
const nameGap = 5;
/** The names next to the last column take at most this share of the width. */
const maxNameShare = 0.4;
const nameSize = 12;
const edge = 8;

interface Pointed {
  /** The details of a node, or of both ends of a flow. */
  id: string;
  x: number;
  y: number;
}

const idOf = ({ source, target }: Pick<Flow, 'source' | 'target'>) => `${source} → ${target}`;

/** Flows as bands whose thickness is the amount. */
export function Sankey({ nodes, flows, formatAmount, amountName, height, label }: SankeyProps) {
  const container = useRef<HTMLDivElement>(null);
  const { width } = useChartWidth(container);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const placed = useMemo(
    () =>
      placeFlows(
        nodes.map(({ id }) => id),
        flows,
        height - 2 * edge,
      ),
    [nodes, flows, height],
  );
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const nameOf = (id: string) => byId.get(id)?.name ?? '';
  const columnOf = new Map(placed.nodes.map(({ id, column }) => [id, column]));
  const lastNames = placed.nodes.filter(({ column }) => column === placed.columns - 1).map(({ id }) => nameOf(id));
  const longest = Math.max(0, ...lastNames.map((name) => textWidth(name, { size: nameSize })));
  const nameRoom = Math.min(width * maxNameShare, longest + 2 * nameGap);
  // The width up to the next column.
  const roomOf = (column: number) =>
    column === placed.columns - 1 ? nameRoom - nameGap : x(1) - x(0) - nodeWidth - 2 * nameGap;
  const x = (column: number) => 2 + (column * (width - nameRoom - nodeWidth)) / Math.max(1, placed.columns - 1);
  const xOf = (id: string) => x(columnOf.get(id) ?? 0);

  const pointAt = (id: string) => (event: PointerEvent<SVGElement>) => {
    const place = container.current?.getBoundingClientRect();
    setPointed({ id, x: event.clientX - (place?.left ?? 0), y: event.clientY - (place?.top ?? 0) });
  };
  // With newer data, the item under the pointer may have changed or may no longer exist.
  const contentOf = (id: string): TooltipContent | null => {
    const node = placed.nodes.find((one) => one.id === id);
    const flow = placed.flows.find((one) => idOf(one) === id);
    const amount = (node ?? flow)?.amount;
    if (amount === undefined) return null;
    const title = flow === undefined ? nameOf(id) : `${nameOf(flow.source)} → ${nameOf(flow.target)}`;
    return { title, rows: [{ name: amountName, value: formatAmount(amount) }] };
  };
  const content = pointed === null ? null : contentOf(pointed.id);
  return (
    <div
      ref={container}
      className={chart.still}
      style={{ height }}
      role="img"
      aria-label={label}
      onPointerLeave={() => setPointed(null)}
    >
      {width > 0 && (
        <svg className={classes.svg} viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden>
          <g transform={`translate(0 ${edge})`}>
            {placed.flows.map(({ source, target, fromY, toY, thickness }) => {
              const [from, to] = [xOf(source) + nodeWidth, xOf(target)];
              const half = (from + to) / 2;
              const id = idOf({ source, target });
              const isPointed = pointed?.id === id || pointed?.id === source || pointed?.id === target;
              return (
                <path
                  key={id}
                  d={
                    `M${from} ${fromY}C${half} ${fromY} ${half} ${toY} ${to} ${toY}V${toY + thickness}` +
                    `C${half} ${toY + thickness} ${half} ${fromY + thickness} ${from} ${fromY + thickness}Z`
                  }
                  fill={byId.get(source)?.color}
                  className={classes.link}
                  data-pointed={isPointed || undefined}
                  onPointerMove={pointAt(id)}
                />
              );
            })}
            {placed.nodes.map(({ id, column, y, height: own }) => (
              <g key={id} onPointerMove={pointAt(id)}>
                <rect x={x(column)} y={y} width={nodeWidth} height={Math.max(1, own)} fill={byId.get(id)?.color} />
                <text x={x(column) + nodeWidth + nameGap} y={y + own / 2} dy="0.35em" className={classes.name}>
                  {cutText(nameOf(id), roomOf(column), nameSize)}
                </text>
              </g>
            ))}
          </g>
        </svg>
      )}
      {pointed !== null && content !== null && (
        <ChartTooltip {...content} x={pointed.x} y={pointed.y} width={width} height={height} />
      )}
    </div>
  );
}
