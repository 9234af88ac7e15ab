import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Why a form was refused, read out at once. Nothing while there is no reason. */
export function FormError({ children }: { children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
      {children}
    </Alert>
  );
}
