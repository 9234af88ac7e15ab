export const measurements = {
  title: 'Measurements',
} as const;
