/** Whether the system uses ⌘ instead of Ctrl. */
export const isMac = /Mac OS X|Macintosh/.test(navigator.userAgent);

/** Where the browser keeps whether keys without Ctrl or ⌘ are wanted. */
export const singleKeysStore = 'single-keys';
