import { useLocation, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';

/** Rows that belong to no device, and where they were seen: it is created on the page of the sites, and one comes back. */
interface RowsWithoutDevice {
  externalId: string;
  /** Among the deliveries of this API key; null under Incoming. */
  apiKeyId: string | null;
}

interface BackFrom extends RowsWithoutDevice {
  isCreated: boolean;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whose device is to be created. */
    createsFor?: RowsWithoutDevice;
    /** Whose device was created, or not after all. */
    backFrom?: BackFrom;
  }
}

/** Goes back to where the rows were seen; answers false where one came from elsewhere. */
export function useBackToRows(): (createdExternalId: string | null) => boolean {
  const rows = useLocation({ select: ({ state }) => state.createsFor });
  const navigate = useNavigate();
  return (createdExternalId) => {
    if (rows === undefined) return false;
    void navigate({
      to: rows.apiKeyId === null ? '/settings/incoming' : '/settings/api-keys',
      state: { backFrom: { ...rows, isCreated: createdExternalId === rows.externalId } },
      replace: true,
    });
    return true;
  };
}

/** Calls `act` once for whoever has come back, after the page that was come to has taken the focus. */
export function useWhenBack(isMeant: (back: BackFrom) => boolean, act: (back: BackFrom) => void): void {
  const back = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.backFrom });
  const isWanted = back !== undefined && isMeant(back);
  const actNow = useEffectEvent(() => {
    if (back !== undefined) act(back);
  });
  useEffect(() => {
    if (!isWanted) return;
    const timer = setTimeout(() => actNow());
    return () => clearTimeout(timer);
  }, [isWanted]);
}

/** Of a link in a row: whoever comes back to the row finds the focus there. */
export function useFocusWhenBack(externalId: string, isOfDevice: boolean) {
  const link = useRef<HTMLAnchorElement>(null);
  const navigate = useNavigate();
  useWhenBack(
    (back) => back.externalId === externalId && back.isCreated === isOfDevice,
    () => {
      link.current?.focus();
      // Rows that come later leave the focus where it is.
      void navigate({ to: '.', search: true, replace: true });
    },
  );
  return link;
}
