import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import { useId, type ComponentPropsWithRef } from 'react';

interface ReasonedButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  /** Why the button cannot be used; null if it can. */
  reason: string | null;
}

/**
 * A button that can be reached even when it is disabled. It then explains the reason: on hover, focus and touch, and to screen
 * readers.
 */
export function ReasonedButton({ reason, onClick, ...props }: ReasonedButtonProps) {
  const id = useId();
  const isBarred = reason !== null;
  return (
    <Tooltip label={reason} disabled={!isBarred} multiline maw={280} events={{ hover: true, focus: true, touch: true }}>
      <span>
        <Button
          {...props}
          {...(isBarred ? { 'data-disabled': true, 'aria-disabled': true, 'aria-describedby': id } : { onClick })}
        />
        {isBarred && (
          <span id={id} className="visually-hidden">
            {reason}
          </span>
        )}
      </span>
    </Tooltip>
  );
}
