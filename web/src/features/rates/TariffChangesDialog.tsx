import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { CostPreview, TariffWrite } from '../../../../shared/rates.ts';
import { useErrorText } from '../../lib/error-text.ts';
import { CostChanges } from '../../ui/CostChanges.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

/** A tariff that is about to be stored, and what it changes, or why that is not known. */
export interface AskedChanges {
  written: TariffWrite;
  preview: CostPreview | null;
  error: unknown;
}

interface TariffChangesDialogProps {
  asked: AskedChanges | null;
  onStore: (written: TariffWrite) => void;
  onClose: () => void;
}

/** Says what a tariff changes in months that are measured already, before it is stored. */
export function TariffChangesDialog({ asked, onStore, onClose }: TariffChangesDialogProps) {
  const t = useTranslations('rates.changes');
  const tCommon = useTranslations('common');
  const errorText = useErrorText();
  return (
    <Dialog opened={asked !== null} onClose={onClose} title={t('title')} size="md">
      {asked !== null && (
        <>
          {asked.preview === null ? (
            <Text>{t('failed', { reason: errorText(asked.error) })}</Text>
          ) : (
            <CostChanges preview={asked.preview} />
          )}
          <Group justify="flex-end" gap="xs" mt="md">
            <Button variant="default" onClick={onClose}>
              {tCommon('unsaved.stay')}
            </Button>
            <Button data-autofocus onClick={() => onStore(asked.written)}>
              {t(asked.preview === null ? 'saveAnyway' : 'save')}
            </Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}
