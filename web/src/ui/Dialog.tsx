import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState, type ChangeEvent, type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import classes from './Dialog.module.css';

/** For this long after a dialog has opened, the menu that opened it may still take the focus. */
const settledAfterMs = 300;

/** The element that opened the first of several dialogs; the last one returns the focus to it. */
let openerOnPage: HTMLElement | null = null;
let openDialogs = 0;

/** The button of the menu that has the focus, or had it last. Without animations, a menu closes before its dialog opens. */
let menuButton: HTMLElement | null = null;
/** If a button is disabled while it waits for an answer, the focus moves to the body. */
let lastFocused: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement) lastFocused = target;
  const id = target instanceof Element && target.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  menuButton = typeof id === 'string' ? document.getElementById(id) : null;
});

/** The element that has the focus or had it last. In a menu that is about to close: the button that opened the menu. */
function focusedBefore(): HTMLElement | null {
  if (menuButton !== null) return menuButton;
  const { activeElement } = document;
  return activeElement instanceof HTMLElement && activeElement !== document.body ? activeElement : lastFocused;
}

/**
 * Keeps the focus in a dialog that has just opened. When the dialog closes, the focus goes back to the element that opened it.
 * If that element no longer exists (a deleted row), it goes to the content of the page. Returns a ref for any element inside
 * the dialog.
 */
function useDialogFocus(opened: boolean) {
  const inside = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!opened) return;
    const before = focusedBefore();
    if (openDialogs === 0) openerOnPage = before;
    openDialogs += 1;
    return () => {
      // Runs after the dialog has released the focus, and after elements have been removed.
      setTimeout(() => {
        openDialogs -= 1;
        const { activeElement } = document;
        if (activeElement !== document.body && !activeElement?.closest('[role="dialog"]')) return;
        const opener = [before, openerOnPage].find((one) => one?.isConnected === true);
        // The next dialog keeps the focus.
        if (openDialogs > 0 && !opener?.closest('[role="dialog"]')) return;
        (opener ?? document.getElementById('content'))?.focus({ preventScroll: true });
      }, 20);
    };
  }, [opened]);

  useEffect(() => {
    if (!opened) return;
    const settledAt = performance.now() + settledAfterMs;
    const keep = ({ target }: FocusEvent) => {
      // Another dialog on top of this one may have the focus.
      const isOutside = target instanceof Element && target.closest('[role="dialog"]') === null;
      if (performance.now() > settledAt || !isOutside) return;
      const first = inside.current?.closest('[role="dialog"]')?.querySelector('[data-autofocus]');
      if (first instanceof HTMLElement) first.focus({ preventScroll: true });
    };
    document.addEventListener('focusin', keep);
    return () => document.removeEventListener('focusin', keep);
  }, [opened]);

  return inside;
}

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  size?: keyof typeof widths;
  /** Only its own buttons close this dialog, because its content is shown only once. */
  isFirm?: boolean;
  /** Nothing in this dialog can be lost, so a click beside it closes it. */
  isLight?: boolean;
  children: ReactNode;
}

const widths = { sm: 400, md: 480, lg: 640, xl: 760, wide: 1040 } as const;

/**
 * A dialog on top of the page. A click beside a form never closes it, because entries would be lost. If the user has typed into
 * a form that can be saved, Escape and the cross ask first.
 */
export function Dialog(props: DialogProps) {
  const { opened, onClose } = props;
  const [hasTyped, setHasTyped] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [wasOpened, setWasOpened] = useState(opened);
  if (wasOpened !== opened) {
    setWasOpened(opened);
    setHasTyped(false);
    setIsAsking(false);
  }
  const noteTyping = ({ target }: ChangeEvent) => {
    if (target.closest('form:not([data-keeps-nothing])') !== null) setHasTyped(true);
  };
  return (
    <>
      <DialogFrame {...props} onClose={hasTyped ? () => setIsAsking(true) : onClose} onTyping={noteTyping} />
      <UnsavedQuestion isAsking={opened && isAsking} onStay={() => setIsAsking(false)} onLeave={onClose} />
      {opened && hasTyped && <UnsavedGuard isDirty isOver />}
    </>
  );
}

/** A text about the loss to warn of, if it is not about the user's entries. */
interface LeavingTexts {
  title: string;
  text: string;
  leave: string;
  stay: string;
}

interface UnsavedQuestionProps {
  isAsking: boolean;
  texts?: LeavingTexts | undefined;
  onStay: () => void;
  onLeave: () => void;
}

/** Asks before unsaved entries are lost. */
export function UnsavedQuestion({ isAsking, texts, onStay, onLeave }: UnsavedQuestionProps) {
  const t = useTranslations('common.unsaved');
  const { title, text, leave, stay } = texts ?? {
    title: t('title'),
    text: t('text'),
    leave: t('leave'),
    stay: t('stay'),
  };
  return (
    // Modal, because otherwise the Escape key that opened it would close it again.
    <DialogFrame opened={isAsking} isFirm onClose={onStay} title={title} size="sm">
      <Stack gap="md">
        <Text>{text}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onLeave}>
            {leave}
          </Button>
          <Button data-autofocus onClick={onStay}>
            {stay}
          </Button>
        </Group>
      </Stack>
    </DialogFrame>
  );
}

interface UnsavedGuardProps {
  isDirty: boolean;
  /** The dialog covers the links of the page. So only the form itself leads to another page, once it is saved. */
  isOver?: boolean;
  texts?: LeavingTexts;
}

/** Asks before the user leaves a page with unsaved changes, even by the buttons of the browser. */
export function UnsavedGuard({ isDirty, isOver = false, texts }: UnsavedGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next, action }) =>
      isDirty && current.pathname !== next.pathname && !(isOver && (action === 'PUSH' || action === 'REPLACE')),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const isAsking = blocker.status === 'blocked';
  const stay = useEffectEvent(() => blocker.reset?.());
  // The action ended while the question was open.
  useEffect(() => {
    if (isAsking && !isDirty) stay();
  }, [isAsking, isDirty]);
  return (
    <UnsavedQuestion
      isAsking={isAsking}
      texts={texts}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  );
}

interface DialogFrameProps extends DialogProps {
  onTyping?: (event: ChangeEvent) => void;
}

function DialogFrame(props: DialogFrameProps) {
  const { opened, onClose, onTyping, title, size = 'md', isFirm = false, isLight = false, children } = props;
  const t = useTranslations('common');
  const inside = useDialogFocus(opened);
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={widths[size]}
      centered
      closeOnClickOutside={isLight}
      closeOnEscape={!isFirm}
      returnFocus={false}
      classNames={{ content: classes.content }}
    >
      <Modal.Overlay backgroundOpacity={0.4} blur={2} />
      <Modal.Content radius="lg">
        {/* A div, because a dialog's header element would count as that of the page. */}
        <div ref={inside} className={classes.header}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          {!isFirm && <Modal.CloseButton aria-label={t('close')} />}
        </div>
        <Modal.Body className={classes.body} onChange={onTyping}>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
