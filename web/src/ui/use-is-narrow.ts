import { useMediaQuery } from '@mantine/hooks';
import { usePrinting } from './printing.tsx';

/**
 * Whether the page is as narrow as on a phone; the same width as in the styles. Paper counts as wide: a layout that changed while
 * printing would lose a sheet.
 */
export function useIsNarrow(): boolean {
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  return !usePrinting() && isNarrow;
}
