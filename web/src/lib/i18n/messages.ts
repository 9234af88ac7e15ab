import { queryOptions } from '@tanstack/react-query';
import { loadMessages, type StageMessages } from './catalogue.ts';
import type { Language } from '../../../../shared/messages.ts';
import { loadCode } from '../load-code.ts';

/** The texts that a load stage adds. */
export const messagesQuery = <Stage extends keyof StageMessages>(stage: Stage, language: Language) =>
  queryOptions({
    queryKey: ['messages', stage, language],
    queryFn: loadCode(() => loadMessages(language, stage)),
    staleTime: Infinity,
  });
