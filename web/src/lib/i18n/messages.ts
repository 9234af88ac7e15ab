import { queryOptions } from '@tanstack/react-query';
import { loadFleetMessages, loadMessages, loadNumbersMessages } from './catalogue.ts';
import type { Language } from '../../../../shared/messages.ts';
import { loadCode } from '../load-code.ts';

/** The texts of the Overview's first numbers. */
export const numbersMessagesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['numbers-messages', language],
    queryFn: loadCode(() => loadNumbersMessages(language)),
    staleTime: Infinity,
  });

/** The texts of the pages behind sign-in. */
export const messagesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['messages', language],
    queryFn: loadCode(() => loadMessages(language)),
    staleTime: Infinity,
  });

/** Further texts of the pages of the Admin mode. */
export const fleetMessagesQuery = (language: Language) =>
  queryOptions({
    queryKey: ['fleet-messages', language],
    queryFn: loadCode(async () => ({ fleet: await loadFleetMessages(language) })),
    staleTime: Infinity,
  });
