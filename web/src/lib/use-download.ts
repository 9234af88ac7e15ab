import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocale } from 'use-intl';
import { downloadFile, type Arrival, type DownloadedFile } from './download.ts';
import type { RequestOptions } from './http.ts';

export interface DownloadRequest {
  path: string;
  query: NonNullable<RequestOptions['query']>;
}

export type DownloadState =
  | { phase: 'idle' | 'cancelled' }
  /** Null until the answer of the portal has begun. */
  | { phase: 'running'; arrival: Arrival | null }
  | { phase: 'done'; file: DownloadedFile }
  | { phase: 'failed'; error: Error };

interface DownloadEvents {
  onDone?: (file: DownloadedFile) => void;
  onFailed?: (error: Error) => void;
}

/** Progress is reported at most this often, because nobody reads it faster; ms. */
const renewMs = 100;

/**
 * One download at a time, in the language of the page. The user can cancel it. It is also cancelled when the component that
 * shows it disappears.
 */
export function useDownload({ onDone, onFailed }: DownloadEvents = {}) {
  const language = useLocale();
  const cancelling = useRef<AbortController>(null);
  const isRunning = useRef(false);
  const [arrival, setArrival] = useState<Arrival | null>(null);
  const download = useMutation({
    mutationFn: async ({ path, query }: DownloadRequest): Promise<DownloadedFile | null> => {
      const { signal } = (cancelling.current = new AbortController());
      let shownAt = -Infinity;
      const onArrival = (next: Arrival) => {
        const now = performance.now();
        if (now - shownAt < renewMs) return;
        shownAt = now;
        setArrival(next);
      };
      setArrival(null);
      try {
        return await downloadFile(path, { query, signal, onArrival });
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    },
    onSuccess: (file) => {
      if (file !== null) onDone?.(file);
    },
    onError: (error) => onFailed?.(error),
    onSettled: () => {
      isRunning.current = false;
    },
  });
  const cancel = () => cancelling.current?.abort();
  useEffect(() => () => cancelling.current?.abort(), []);

  const { status, data, error } = download;
  const state: DownloadState =
    status === 'pending'
      ? { phase: 'running', arrival }
      : status === 'error'
        ? { phase: 'failed', error }
        : status === 'idle'
          ? { phase: 'idle' }
          : data === null
            ? { phase: 'cancelled' }
            : { phase: 'done', file: data };
  const start = ({ path, query }: DownloadRequest) => {
    // The rendered state may be older than a click that follows at once.
    if (isRunning.current) return;
    isRunning.current = true;
    download.mutate({ path, query: { ...query, language } });
  };
  return { state, start, cancel, reset: download.reset };
}
