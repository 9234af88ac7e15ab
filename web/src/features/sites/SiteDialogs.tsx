import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Site } from '../../../../shared/sites.ts';
import { ratesQuery } from '../../entities/rates.ts';
import { ConfirmByName } from '../../ui/ConfirmByName.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { RowsSkeleton } from '../../ui/Skeletons.tsx';
import { type DeletedSite, useDeleteSite } from './queries.ts';
import { SiteForm } from './SiteForm.tsx';

interface SiteDialogProps {
  opened: boolean;
  /** Null creates a new one. */
  site: Site | null;
  onClose: () => void;
  onSaved?: (site: Site) => void;
}

/** Creates or changes a site. */
export function SiteDialog({ opened, site, onClose, onSaved }: SiteDialogProps) {
  const t = useTranslations('sites.site');
  const municipalities = useQuery(ratesQuery);
  const finish = (saved?: Site) => {
    onClose();
    if (saved !== undefined) onSaved?.(saved);
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t(site === null ? 'new' : 'edit')}>
      <Loaded queries={[municipalities]} skeleton={<RowsSkeleton rows={3} />}>
        {(data) => <SiteForm site={site} municipalities={data} onDone={finish} />}
      </Loaded>
    </Dialog>
  );
}

interface DeleteSiteDialogProps {
  opened: boolean;
  site: DeletedSite;
  onClose: () => void;
  /** Leaves the page of the site before it is deleted. */
  leave?: () => Promise<unknown>;
}

export function DeleteSiteDialog({ opened, site, onClose, leave }: DeleteSiteDialogProps) {
  const t = useTranslations('sites.site');
  const remove = useDeleteSite(leave);
  return (
    <ConfirmByName
      opened={opened}
      title={t('delete')}
      name={site.name}
      onConfirm={() => remove.mutateAsync({ seen: site })}
      done={t('deleted', { name: site.name })}
      onClose={onClose}
      {...(site.deviceCount > 0 ? { barred: t('hasDevices', { count: site.deviceCount }) } : {})}
    >
      {t('deleteText')}
    </ConfirmByName>
  );
}
