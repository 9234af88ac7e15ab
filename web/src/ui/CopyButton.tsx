import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
const confirmedForMs = 2000;

interface CopyButtonProps {
  text: string;
  /** Names the copied text for screen readers: "Copy the key". */
  label: string;
  /** The label, if "Copy" alone is unclear. */
  caption?: string;
  onCopied?: () => void;
  /** Whether copying is the first thing to do in its dialog. */
  isFirst?: boolean;
  size?: 'xs' | 'sm';
}

/** Copies a text, and confirms it for two seconds. */
export function CopyButton({ text, label, caption, onCopied, isFirst = false, size = 'xs' }: CopyButtonProps) {
  const t = useTranslations('common');
  const [isCopied, setIsCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), confirmedForMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async (button: HTMLButtonElement) => {
    const worked = await copyText(text, button);
    setIsCopied(worked);
    if (worked) onCopied?.();
    else notifications.show({ color: 'red', message: t('copyFailed') });
  };

  const Icon = isCopied ? IconCheck : IconCopy;
  return (
    <>
      <Button
        className="screen-only"
        variant="default"
        size={size}
        aria-label={label}
        data-autofocus={isFirst || undefined}
        leftSection={<Icon size={14} stroke={1.75} aria-hidden />}
        onClick={(event) => void copy(event.currentTarget)}
      >
        {isCopied ? t('copied') : (caption ?? t('copy'))}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? t('copied') : ''}
      </span>
    </>
  );
}

/**
 * Copies the text and returns whether that worked. Browsers offer their clipboard only over https and on localhost. Elsewhere,
 * as on a portal in a local network, the text must be selected and the selection copied. `near` keeps the selection inside an
 * open dialog, which would otherwise take the focus back.
 */
async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text, near);
  }
}

function copySelection(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'visually-hidden';
  near.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  near.focus();
  return isCopied;
}
