/** Whether the system uses ⌘ instead of Ctrl. */
export const isMac = /Mac OS X|Macintosh/.test(navigator.userAgent);

/** The storage key for whether shortcuts without Ctrl or ⌘ are on. */
export const singleKeysStore = 'single-keys';
