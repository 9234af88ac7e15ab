import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { saveFile } from '../../lib/download.ts';
import { ShownOnce } from '../ShownOnce.tsx';

/** Recovery codes, shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTranslations('secondFactor');
  const text = codes.join('\n');
  return (
    <ShownOnce
      secret={text}
      label={t('codes')}
      copyLabel={t('copyCodes')}
      warning={t('codesWarning')}
      notCopied={t('notCopied')}
      onDone={onDone}
    >
      {(confirmCopied) => (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
          onClick={() => {
            saveFile(new Blob([`${window.location.host}\n\n${text}\n`], { type: 'text/plain' }), `${t('codes')}.txt`);
            confirmCopied();
          }}
        >
          {t('saveCodes')}
        </Button>
      )}
    </ShownOnce>
  );
}
