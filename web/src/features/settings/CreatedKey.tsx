import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CreatedApiKey } from '../../../../shared/accounts.ts';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { toInstant } from '../../lib/time.ts';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { ShownOnce, ToCopy } from '../../ui/ShownOnce.tsx';
import { curlCommand } from './ingest-command.ts';
import { TestRowForm } from './TestRowForm.tsx';

/** Stands in the command while there is no device. */
const exampleId = 'meter-1';

interface CreatedKeyProps {
  apiKey: CreatedApiKey;
  onDone: () => void;
}

/** Shows a new key this once, how to use it, and lets it be tried. */
export function CreatedKey({ apiKey: { key }, onDone }: CreatedKeyProps) {
  const t = useTranslations('settings.apiKeys');
  const tTerms = useTranslations('terms');
  const devices = useQuery(devicesQuery).data;
  const [openedAt] = useState(() => toInstant(Math.floor(Date.now() / 60_000) * 60_000).replace('.000Z', 'Z'));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const chosen =
    devices?.find(({ id }) => id === chosenId) ?? devices?.find(({ isActive }) => isActive) ?? devices?.[0];

  const command = curlCommand(window.location.origin, key, {
    externalId: chosen?.externalId ?? exampleId,
    time: openedAt,
    activePowerKw: 12.5,
  });
  return (
    <ShownOnce
      secret={key}
      label={t('key')}
      copyLabel={t('copyKey')}
      warning={t('shownOnce')}
      notCopied={t('notCopied')}
      onDone={onDone}
    >
      {(confirmCopied) => (
        <>
          {devices !== undefined && devices.length > 0 && (
            <Select
              label={tTerms('device')}
              description={t('deviceHint')}
              placeholder={t('chooseDevice')}
              nothingFoundMessage={tTerms('noSuchDevice')}
              data={bySite(devices)}
              value={chosen?.id ?? null}
              onChange={setChosenId}
              allowDeselect={false}
              searchable
              selectFirstOptionOnChange
            />
          )}
          <ToCopy
            heading={t('command')}
            hint={devices?.length === 0 ? t.rich('noDevices', { link: linkToSites }) : t('commandHint')}
            text={command}
            copyLabel={t('copyCommand')}
            onCopied={confirmCopied}
          />
          {chosen !== undefined && <TestRowForm key={chosen.id} apiKey={key} device={chosen} />}
        </>
      )}
    </ShownOnce>
  );
}

function linkToSites(text: ReactNode) {
  return <LinkAnchor to="/sites">{text}</LinkAnchor>;
}

function bySite(devices: readonly DeviceWithSite[]) {
  const groups = new Map<string, { value: string; label: string }[]>();
  for (const { id, name, externalId, siteName } of devices) {
    const items = groups.get(siteName) ?? [];
    items.push({ value: id, label: `${name} (${externalId})` });
    groups.set(siteName, items);
  }
  return [...groups].map(([group, items]) => ({ group, items }));
}
