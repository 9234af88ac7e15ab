import { useMediaQuery } from '@mantine/hooks';

/** Whether the page is as narrow as a phone's; the same width as in the styles. */
export const useIsNarrow = (): boolean =>
  useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
