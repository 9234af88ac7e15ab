import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../ui/Dialog.tsx';

/** Asks before a page with changes that are not saved is left, also by the browser's own ways. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const t = useTranslations('rates.unsaved');
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const isAsking = blocker.status === 'blocked';
  return (
    <Dialog opened={isAsking} onClose={() => blocker.reset?.()} title={t('title')} size="sm">
      <Stack gap="md">
        <Text>{t('text')}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => blocker.proceed?.()}>
            {t('leave')}
          </Button>
          <Button data-autofocus onClick={() => blocker.reset?.()}>
            {t('stay')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
