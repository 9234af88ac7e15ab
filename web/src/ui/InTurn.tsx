import { Children, Fragment, startTransition, useEffect, useState, type ReactNode } from 'react';
import { afterPaint } from './after-paint.ts';
import { usePrinting } from './printing.tsx';

let hasShownAll = false;

interface InTurnProps {
  children: ReactNode;
  /** Shown in place of the children that are still to come. */
  rest: ReactNode;
}

/**
 * Shows children one after the other, each once the previous one has been painted. Drawing all panels of a page at once would
 * block a slow phone for a fifth of a second. This happens only on the first page that uses it; on later pages all children
 * appear at once.
 */
export function InTurn({ children, rest }: InTurnProps) {
  const all = Children.toArray(children);
  const [shown, setShown] = useState(1);
  const isPrinting = usePrinting();
  const isWhole = hasShownAll || isPrinting || shown >= all.length;
  useEffect(() => {
    if (isWhole) {
      hasShownAll = true;
      return;
    }
    let isLeft = false;
    afterPaint(() => {
      if (!isLeft) startTransition(() => setShown(shown + 1));
    });
    return () => {
      isLeft = true;
    };
  }, [isWhole, shown]);
  return (
    <>
      {isWhole ? all : all.slice(0, shown)}
      {/* A new place each time: one that moves would count as a shift. */}
      {!isWhole && <Fragment key={shown}>{rest}</Fragment>}
    </>
  );
}
