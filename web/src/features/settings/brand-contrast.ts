import { contrast } from '../../ui/tokens/color.ts';
import { filledColor, textContrast, tintedColor } from '../../ui/tokens/palette.ts';
import { surfaces } from '../../ui/tokens/palette.ts';

export interface ContrastFinding {
  /** Where the color cannot be used as it is: under the text of a button, as text on light, as text on dark. */
  place: 'surface' | 'light' | 'dark';
  /** WCAG contrast of the color as it is, less than 4.5. */
  ratio: number;
  /** What the portal uses there instead. */
  shown: string;
}

/** Where a brand color would be hard to read, and what the portal makes of it there. */
export function contrastFindings(hex: string): ContrastFinding[] {
  const filled = filledColor(hex);
  const places: ContrastFinding[] = [
    { place: 'surface', ratio: contrast(hex, filled.text), shown: filled.background },
    { place: 'light', ratio: contrast(hex, surfaces.light), shown: tintedColor(hex, surfaces.light).text },
    { place: 'dark', ratio: contrast(hex, surfaces.dark), shown: tintedColor(hex, surfaces.dark).text },
  ];
  return places.filter(({ ratio }) => ratio < textContrast);
}
