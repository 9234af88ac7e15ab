import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { CodeBlock } from './CodeBlock.tsx';
import classes from './ShownOnce.module.css';

interface ShownOnceProps {
  secret: string;
  /** The name of the secret. */
  label: string;
  copyLabel: string;
  /** A note that it is shown only once. */
  warning: string;
  /** The question whether to close although the secret has not been copied. */
  notCopied: string;
  /** Further actions with the secret. They get a function to call once the secret was copied in another way. */
  children: (confirmCopied: () => void) => ReactNode;
  onDone: () => void;
}

/** A secret that cannot be shown again. Before it has been copied, nothing closes it without a question. */
export function ShownOnce({ secret, label, copyLabel, warning, notCopied, children, onDone }: ShownOnceProps) {
  const t = useTranslations('common');
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isLeaving = useRef(false);
  const confirmCopied = () => setIsCopied(true);
  const leave = () => {
    isLeaving.current = true;
    onDone();
  };
  const hasRouter = Boolean(useRouter({ warn: false }));
  const shouldStay = () => {
    if (!isLeaving.current) setIsAsking(true);
    return !isLeaving.current;
  };

  return (
    <Stack gap="lg">
      {!isCopied && (hasRouter ? <PageGuard shouldStay={shouldStay} /> : <WindowGuard isLeaving={isLeaving} />)}
      <div className={classes.secret}>
        <p className={classes.warning}>{warning}</p>
        <CodeBlock
          text={secret}
          isList={secret.includes('\n')}
          label={label}
          copyLabel={copyLabel}
          isFirst
          onCopied={confirmCopied}
        />
      </div>
      {children(confirmCopied)}
      <Group justify="flex-end" gap="xs">
        {isAsking && !isCopied ? (
          <>
            <Text role="alert" ref={focus} tabIndex={-1} className={classes.asking}>
              {notCopied}
            </Text>
            <Button variant="default" onClick={leave}>
              {t('closeWithoutCopying')}
            </Button>
          </>
        ) : (
          <Button onClick={() => (isCopied ? onDone() : setIsAsking(true))}>{t('done')}</Button>
        )}
      </Group>
    </Stack>
  );
}

/** The button that had the focus no longer exists, so the focus moves to the question. */
const focus = (question: HTMLElement | null) => question?.focus();

/** Neither a link nor the Back button closes it without a question. */
function PageGuard({ shouldStay }: { shouldStay: () => boolean }) {
  useBlocker({ shouldBlockFn: shouldStay, enableBeforeUnload: true });
  return null;
}

/** Before sign-in there is no router. Then the user can only leave the whole window's page, and the browser asks. */
function WindowGuard({ isLeaving }: { isLeaving: RefObject<boolean> }) {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!isLeaving.current) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isLeaving]);
  return null;
}

interface ToCopyProps {
  heading: string;
  hint: ReactNode;
  text: string;
  copyLabel: string;
  onCopied: () => void;
}

/** A prepared text that contains the secret, with instructions. */
export function ToCopy({ heading, hint, ...block }: ToCopyProps) {
  return (
    <section aria-label={heading}>
      <h3 className={classes.heading}>{heading}</h3>
      <p className={classes.hint}>{hint}</p>
      <CodeBlock label={heading} {...block} />
    </section>
  );
}
