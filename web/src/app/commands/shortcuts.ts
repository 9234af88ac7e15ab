/** The effect of a key press: a dialog, the page of a letter, or the first key of two. */
export type Shortcut = { opens: 'palette' | 'shortcuts' } | { goesTo: string } | 'goTo';

interface PressedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

export interface Circumstances {
  /** ⌘ takes the place of Ctrl, because Ctrl moves the cursor on macOS. */
  isMac: boolean;
  /** The key belongs to a text that the user types. */
  isTyping: boolean;
  /** Shortcuts without Ctrl or ⌘ are on. */
  hasSingleKeys: boolean;
  /** The first key of two has just been pressed. */
  isSecond: boolean;
}

/** The shortcut of a key press; null if there is none. */
export function shortcutOf(pressed: PressedKey, circumstances: Circumstances): Shortcut | null {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed;
  const { isMac, isTyping, hasSingleKeys, isSecond } = circumstances;
  if (altKey) return null;
  if (ctrlKey || metaKey) {
    const isMain = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
    return isMain && !shiftKey && key.toLowerCase() === 'k' ? { opens: 'palette' } : null;
  }
  if (isTyping || !hasSingleKeys) return null;
  if (key === '?') return { opens: 'shortcuts' };
  if (shiftKey) return null;
  return isSecond ? { goesTo: key } : key === 'g' ? 'goTo' : null;
}
