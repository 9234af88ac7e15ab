import { sharedValue } from './shared-value.ts';

/** Whether the session of the signed-in user has ended while a page of theirs is open. */
const isOver = sharedValue(false);

export const markSessionOver = (): void => isOver.write(true);
export const markSessionBack = (): void => isOver.write(false);
export const { read: isSessionOver, subscribe: subscribeToSession } = isOver;
