import { useLocation, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Rows without a device, and the page on which the user saw them. The device is created on the page of the sites; then the user
 * returns.
 */
interface RowsWithoutDevice {
  externalId: string;
  /** Shown among the deliveries of this API key; null under Incoming. */
  apiKeyId: string | null;
}

interface BackFrom extends RowsWithoutDevice {
  isCreated: boolean;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The row whose device is to be created. */
    createsFor?: RowsWithoutDevice;
    /** The row whose device was created, or whose creation was cancelled. */
    backFrom?: BackFrom;
  }
}

/** Leads back to the page on which the user saw the rows. False if the user came from another page. */
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

/** Calls `act` once, after the user has returned and the page has taken the focus. */
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

/** For a link in a row: when the user returns, this link gets the focus. */
export function useFocusWhenBack(externalId: string, isOfDevice: boolean) {
  const link = useRef<HTMLAnchorElement>(null);
  const navigate = useNavigate();
  useWhenBack(
    (back) => back.externalId === externalId && back.isCreated === isOfDevice,
    () => {
      link.current?.focus();
      // Rows that arrive later do not move the focus.
      void navigate({ to: '.', search: true, replace: true });
    },
  );
  return link;
}
