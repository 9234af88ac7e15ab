import { MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import classes from './Toasts.module.css';

/** Short messages at the edge of the page, with close buttons that have a name. */
export function Toasts() {
  const close = useTranslations('common')('close');
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': close } } } } }),
    [close],
  );
  return (
    <MantineThemeProvider theme={theme}>
      <Notifications position="bottom-right" autoClose={5000} className={`${classes.toasts} screen-only`} />
    </MantineThemeProvider>
  );
}
