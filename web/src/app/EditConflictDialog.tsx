import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl';
import { currentConflict, subscribeToConflicts } from '../lib/edit-conflict.ts';
import { Dialog } from '../ui/Dialog.tsx';

/** Shows both versions of an edit conflict and lets the second editor choose. */
export function EditConflictDialog() {
  const t = useTranslations('common.conflict');
  const conflict = useSyncExternalStore(subscribeToConflicts, currentConflict);
  if (conflict === null) return null;
  return (
    <Dialog opened onClose={() => conflict.decide('neither')} title={t('title')} size="lg">
      <Stack gap="md">
        <Text>{t('text')}</Text>
        <Table aria-label={t('title')} withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{t('field')}</Table.Th>
              <Table.Th scope="col">{t('mine')}</Table.Th>
              <Table.Th scope="col">{t('theirs')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {conflict.differences.map(({ label, mine, theirs }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td>{mine === '' ? '—' : mine}</Table.Td>
                <Table.Td>{theirs === '' ? '—' : theirs}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={() => conflict.decide('theirs')}>
            {t('takeTheirs')}
          </Button>
          <Button onClick={() => conflict.decide('mine')}>{t('keepMine')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
