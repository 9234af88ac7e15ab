import { useMediaQuery } from '@mantine/hooks';
import { usePrinting } from './printing.tsx';

/** Whether the page is as narrow as a phone's; the same width as in the styles. Paper is wide: a layout that changed under way would lose a sheet. */
export function useIsNarrow(): boolean {
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  return !usePrinting() && isNarrow;
}
