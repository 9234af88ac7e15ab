import { useMutation } from '@tanstack/react-query';
import { fetchNothing } from './http.ts';

/** Deletes one of what the path lists, by its id, and then renews what shows it. */
export const useDelete = (path: string, renew: () => Promise<unknown>) =>
  useMutation({
    mutationFn: (id: string) => fetchNothing(`${path}/${id}`, { method: 'DELETE' }),
    onSuccess: renew,
  });
