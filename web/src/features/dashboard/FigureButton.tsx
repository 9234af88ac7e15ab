import { UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Tiles.module.css';

interface FigureButtonProps {
  onClick: () => void;
  isWarning?: boolean;
  children: ReactNode;
}

/** Words below a figure that lead to where it comes from. */
export function FigureButton({ onClick, isWarning = false, children }: FigureButtonProps) {
  return (
    <UnstyledButton className={`${classes.lead} ${isWarning ? classes.warn : ''}`} onClick={onClick}>
      {children}
    </UnstyledButton>
  );
}
