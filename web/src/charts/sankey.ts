/** A flow from one node to another, in a unit that can be added up; above zero. */
export interface Flow {
  source: string;
  target: string;
  amount: number;
}

export interface PlacedNode {
  id: string;
  /** Counted from 0: the length of the longest chain of flows to it. */
  column: number;
  y: number;
  height: number;
  amount: number;
}

export interface PlacedFlow extends Flow {
  /** Tops at both ends, px. */
  fromY: number;
  toY: number;
  thickness: number;
}

/** px between two nodes of a column. */
const nodeGap = 12;

/**
 * The layout of nodes and flows of a Sankey diagram in a given height, px. Nodes keep their order in each column and are placed
 * next to their sources. Cycles of flows are not followed.
 */
export function placeFlows(
  ids: readonly string[],
  flows: readonly Flow[],
  height: number,
): { nodes: PlacedNode[]; flows: PlacedFlow[]; columns: number } {
  const columnOf = columnsOf(ids, flows);
  const sum = (own: readonly Flow[]) => own.reduce((total, { amount }) => total + amount, 0);
  const amountOf = (id: string) =>
    Math.max(sum(flows.filter(({ source }) => source === id)), sum(flows.filter(({ target }) => target === id)));
  const columns = Math.max(0, ...columnOf.values()) + 1;
  const byColumn = Array.from({ length: columns }, (_, column) => ids.filter((id) => columnOf.get(id) === column));
  const perUnit = Math.min(
    ...byColumn.map((own) => {
      const total = own.reduce((all, id) => all + amountOf(id), 0);
      return total > 0 ? Math.max(1, height - nodeGap * (own.length - 1)) / total : Infinity;
    }),
  );
  const placed = new Map<string, PlacedNode>();
  for (const [column, own] of byColumn.entries()) {
    let end = 0;
    const nodes = own.map((id): PlacedNode => {
      const sources = flows.filter(({ target }) => target === id).map(({ source }) => placed.get(source)?.y ?? 0);
      const y = Math.max(end, Math.min(...sources, Infinity) === Infinity ? 0 : Math.min(...sources));
      const node = { id, column, y, height: amountOf(id) * perUnit, amount: amountOf(id) };
      end = y + node.height + nodeGap;
      return node;
    });
    // Nodes that were moved too far down move up again, beginning with the last one.
    let limit = height;
    for (const node of nodes.toReversed()) {
      node.y = Math.min(node.y, limit - node.height);
      limit = node.y - nodeGap;
    }
    for (const node of nodes) placed.set(node.id, node);
  }
  const used = { out: new Map<string, number>(), in: new Map<string, number>() };
  const take = (side: Map<string, number>, id: string, thickness: number) => {
    const before = side.get(id) ?? 0;
    side.set(id, before + thickness);
    return (placed.get(id)?.y ?? 0) + before;
  };
  // In the order of the nodes to which the flows lead, so that flows do not cross at their start.
  const yOf = (id: string) => placed.get(id)?.y ?? 0;
  const ordered = flows.toSorted((a, b) => yOf(a.target) - yOf(b.target) || yOf(a.source) - yOf(b.source));
  return {
    columns,
    nodes: [...placed.values()],
    flows: ordered.map((flow) => {
      const thickness = flow.amount * perUnit;
      return {
        ...flow,
        thickness,
        fromY: take(used.out, flow.source, thickness),
        toY: take(used.in, flow.target, thickness),
      };
    }),
  };
}

function columnsOf(ids: readonly string[], flows: readonly Flow[]): Map<string, number> {
  const columns = new Map(ids.map((id) => [id, 0]));
  // The longest path has fewer flows than there are nodes.
  for (let round = 1; round < ids.length; round += 1) {
    let isSettled = true;
    for (const { source, target } of flows) {
      const least = (columns.get(source) ?? 0) + 1;
      if ((columns.get(target) ?? 0) >= least || least >= ids.length) continue;
      columns.set(target, least);
      isSettled = false;
    }
    if (isSettled) break;
  }
  return columns;
}
