export const sites = {
  title: 'Sites',
} as const;
