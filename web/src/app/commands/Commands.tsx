import { useLocalStorage } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState, type ComponentType } from 'react';
import { useTranslations } from 'use-intl';
import { loadCode } from '../../lib/load-code.ts';
import type { CommandDialogsProps } from './CommandDialogs.tsx';
import { isMac, singleKeysStore } from './keys.ts';
import { shortcutOf } from './shortcuts.ts';
import { usePages } from './use-pages.ts';
import classes from './Commands.module.css';

const loadDialogs = loadCode(() => import('./CommandDialogs.tsx'));

/** Maximum time until the second of two keys, ms. */
const secondKeyMs = 1500;
const typedInto = 'input, textarea, select, [contenteditable="true"], [role="textbox"]';

/** Opens the command palette, and handles the shortcuts of the whole page. The dialogs are loaded when they are first needed. */
export function Commands() {
  const t = useTranslations('palette');
  const [shown, setShown] = useState<'palette' | 'shortcuts' | null>(null);
  const [Dialogs, setDialogs] = useState<ComponentType<CommandDialogsProps> | null>(null);
  const [hasSingleKeys] = useLocalStorage({ key: singleKeysStore, defaultValue: true });
  const firstKeyAt = useRef(-Infinity);
  const pages = usePages();

  const show = (next: 'palette' | 'shortcuts') => {
    setShown(next);
    // While the portal does not answer, the banner says so.
    loadDialogs().then(
      (loaded) => setDialogs(() => loaded.CommandDialogs),
      () => setShown(null),
    );
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    const isTyping = target instanceof Element && target.closest(typedInto) !== null;
    const isSecond = event.timeStamp - firstKeyAt.current < secondKeyMs;
    const shortcut = shortcutOf(event, { isMac, isTyping, hasSingleKeys, isSecond });
    firstKeyAt.current = -Infinity;
    // If another dialog is open, it gets the keys.
    if (shortcut === null || (shown === null && document.querySelector('[aria-modal="true"]') !== null)) return;
    if (shortcut === 'goTo') {
      firstKeyAt.current = event.timeStamp;
    } else if ('opens' in shortcut) {
      event.preventDefault();
      if (shown === shortcut.opens) setShown(null);
      else show(shortcut.opens);
    } else if (shown === null) {
      pages.find(({ key }) => key === shortcut.goesTo)?.open();
    }
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  return (
    <>
      <button
        type="button"
        className={classes.open}
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onClick={() => show('palette')}
      >
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className={`${classes.openLabel} one-line`}>{t('open')}</span>
        <kbd aria-hidden>{`${isMac ? '⌘' : t('ctrl')} K`}</kbd>
      </button>
      {Dialogs !== null && <Dialogs shown={shown} onShow={setShown} />}
    </>
  );
}
