import { Children, startTransition, useEffect, useState, type ReactNode } from 'react';
import { afterPaint } from './after-paint.ts';
import { usePrinting } from './printing.ts';

let hasShownAll = false;

/**
 * Shows children one after the other, each once the one before it has been painted: drawing all panels of a page at once keeps a slow
 * phone from answering for a fifth of a second. Only in the first page that has it: later ones are there at once.
 */
export function InTurn({ children, rest }: { children: ReactNode; rest: ReactNode }) {
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
      {!isWhole && rest}
    </>
  );
}
