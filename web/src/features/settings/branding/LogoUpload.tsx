import { Button, FileButton, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPhoto, IconTrash, IconUpload } from '@tabler/icons-react';
import { useState, type DragEvent } from 'react';
import { useTranslations } from 'use-intl';
import { type Branding, maxLogoBytes } from '../../../../../shared/app.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { useRemoveLogo, useUploadLogo } from './branding-mutations.ts';
import classes from './Branding.module.css';

interface LogoUploadProps {
  /** The current logo; '' is none. */
  logoUrl: string;
  /** The logo comes from the settings, so it cannot be removed here. */
  isFallback: boolean;
  /** Called after the logo has changed. A URL that is being typed is discarded. */
  onChanged: (branding: Branding) => void;
}

/** Uploads and removes the logo. Both take effect immediately. */
export function LogoUpload({ logoUrl, isFallback, onChanged }: LogoUploadProps) {
  const t = useTranslations('settings.branding.upload');
  const tTerms = useTranslations('terms');
  const label = useTranslations('settings.branding')('logo');
  const errorText = useErrorText();
  const format = useFormat();
  const upload = useUploadLogo();
  const remove = useRemoveLogo();
  const [isOver, setIsOver] = useState(false);
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  const isPending = upload.isPending || remove.isPending;
  const error = upload.error ?? remove.error;
  const problem = tooLarge ?? (error === null ? null : errorText(error));

  const finish = (branding: Branding, message: string) => {
    onChanged(branding);
    notifications.show({ color: 'green', message });
  };
  const take = (file: File | null | undefined) => {
    if (file === null || file === undefined || isPending) return;
    remove.reset();
    upload.reset();
    setTooLarge(file.size > maxLogoBytes ? t('tooLarge', { size: format.bytes(file.size) }) : null);
    if (file.size <= maxLogoBytes) upload.mutate(file, { onSuccess: (stored) => finish(stored, t('uploaded')) });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer.files[0]);
  };
  const removeNow = () => {
    setTooLarge(null);
    upload.reset();
    remove.mutate(undefined, { onSuccess: (stored) => finish(stored, t('removed')) });
  };

  return (
    <div role="group" aria-label={label}>
      <div className={classes.logoUploadLabel}>{label}</div>
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <div className={classes.current}>
          {logoUrl === '' ? (
            <IconPhoto size={22} stroke={1.5} role="img" aria-label={t('none')} />
          ) : (
            <img src={logoUrl} alt={t('current')} className={classes.logo} />
          )}
        </div>
        <div className={classes.choice}>
          <Group gap="xs">
            <span className={classes.drop}>{t('drop')}</span>
            <FileButton onChange={take} accept="image/png,image/jpeg,image/webp" key={upload.submittedAt}>
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  size="xs"
                  loading={upload.isPending}
                  leftSection={<IconUpload size={14} stroke={1.75} aria-hidden />}
                >
                  {logoUrl === '' ? tTerms('chooseFile') : t('replace')}
                </Button>
              )}
            </FileButton>
            {!isFallback && (
              <Button
                data-sends
                variant="subtle"
                color="red"
                size="xs"
                loading={remove.isPending}
                leftSection={<IconTrash size={14} stroke={1.75} aria-hidden />}
                onClick={removeNow}
              >
                {t('remove')}
              </Button>
            )}
          </Group>
          <p className={classes.hint}>{t('hint')}</p>
        </div>
      </div>
      {problem !== null && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
