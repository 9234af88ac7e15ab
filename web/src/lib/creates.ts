import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whoever comes to the page wants to make something new there. */
    creates?: boolean;
  }
}

/** Opens the form for something new where the command palette has led here for it, once. */
export function useCreates(openForm: () => void): void {
  const isWanted = useLocation({ select: ({ state }) => state.creates === true });
  const navigate = useNavigate();
  const create = useEffectEvent(() => {
    void navigate({ to: '.', search: true, replace: true });
    openForm();
  });
  useEffect(() => {
    if (isWanted) create();
  }, [isWanted]);
}
