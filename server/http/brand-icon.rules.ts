const hexColor = /^#(?:[0-9a-f]{3}){1,2}$/i;

/** The corners of the bolt, clockwise, in a square of 32. */
const bolt = [
  [17.5, 5],
  [8, 18],
  [14.5, 18],
  [13, 27],
  [23, 13.5],
  [16.5, 13.5],
] as const;

/** A bolt on the primary color, or on a neutral color if the primary one is not a hex color, as an SVG of any size. */
export function brandIcon(primaryColor: string): string {
  const { ground, ink } = iconColors(primaryColor);
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">' +
    `<rect width="32" height="32" fill="${ground}"/><path d="M${bolt.map((point) => point.join(' ')).join('L')}z" fill="${ink}"/></svg>`
  );
}

/** The colors of the background and of the bolt. */
export function iconColors(primaryColor: string): { ground: string; ink: string } {
  const ground = hexColor.test(primaryColor) ? primaryColor : '#0b7285';
  return { ground, ink: inkOn(ground) };
}

/** The number of sample points in a pixel, across and down. */
const samples = 4;
export const maxCovered = samples ** 2;

/** How much of each pixel of a square the bolt covers, 0 to `maxCovered`, row by row. */
export function drawBolt(size: number): Uint8Array {
  const covered = new Uint8Array(size * size);
  const scale = 32 / (size * samples);
  for (let y = 0; y < size * samples; y += 1) {
    const crossings = crossEdges((y + 0.5) * scale);
    for (let x = 0; x < size * samples; x += 1) {
      let isInside = false;
      for (const crossing of crossings) if ((x + 0.5) * scale < crossing) isInside = !isInside;
      if (!isInside) continue;
      const pixel = Math.floor(y / samples) * size + Math.floor(x / samples);
      covered[pixel] = (covered[pixel] ?? 0) + 1;
    }
  }
  return covered;
}

/** The positions where the edges of the bolt cross a row. */
const crossEdges = (y: number): number[] =>
  bolt.flatMap(([toX, toY], at) => {
    const [fromX, fromY] = bolt.at(at - 1) ?? [toX, toY];
    return fromY > y === toY > y ? [] : [fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)];
  });

/** Red, green and blue of a hex color. */
export function rgbOf(hex: string): readonly [number, number, number] {
  const digits = hex.length === 4 ? hex.replaceAll(/[0-9a-f]/gi, '$&$&') : hex;
  const at = (from: number) => Number.parseInt(digits.slice(from, from + 2), 16);
  return [at(1), at(3), at(5)];
}

/** White, or dark if white has a contrast of less than 3:1 (WCAG 1.4.11). */
function inkOn(hex: string): string {
  const [r = 0, g = 0, b = 0] = rgbOf(hex).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  return 1.05 / (luminance + 0.05) >= 3 ? '#ffffff' : '#111418';
}
