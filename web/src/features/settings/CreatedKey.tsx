import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { CreatedApiKey } from '../../../../shared/accounts.ts';
import type { DeviceWithSite } from '../../../../shared/sites.ts';
import { devicesQuery } from '../../lib/devices.ts';
import { toInstant } from '../../lib/time.ts';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { LinkAnchor } from '../../ui/LinkButton.tsx';
import { curlCommand } from './ingest-command.ts';
import { TestRowForm } from './TestRowForm.tsx';
import classes from './CreatedKey.module.css';

/** Stands in the command while there is no device. */
const exampleId = 'meter-1';

interface CreatedKeyProps {
  apiKey: CreatedApiKey;
  onDone: () => void;
}

/** Shows a new key this once, how to use it, and lets it be tried. */
export function CreatedKey({ apiKey: { key }, onDone }: CreatedKeyProps) {
  const t = useTranslations('settings.apiKeys');
  const devices = useQuery(devicesQuery).data;
  const [openedAt] = useState(() => toInstant(Math.floor(Date.now() / 60_000) * 60_000).replace('.000Z', 'Z'));
  const [chosenId, setChosenId] = useState<string | null>(null);
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const chosen =
    devices?.find(({ id }) => id === chosenId) ?? devices?.find(({ isActive }) => isActive) ?? devices?.[0];

  const command = curlCommand(window.location.origin, key, {
    externalId: chosen?.externalId ?? exampleId,
    time: openedAt,
    activePowerKw: 12.5,
  });
  const confirmCopied = () => setIsCopied(true);
  // Neither a link nor the Back button takes the key away unasked.
  useBlocker({
    shouldBlockFn: () => {
      setIsAsking(true);
      return true;
    },
    enableBeforeUnload: true,
    disabled: isCopied,
  });

  return (
    <Stack gap="lg">
      <div className={classes.key}>
        <p className={classes.once}>{t('shownOnce')}</p>
        <CodeBlock text={key} label={t('key')} copyLabel={t('copyKey')} isFirst onCopied={confirmCopied} />
      </div>

      {devices !== undefined && devices.length > 0 && (
        <Select
          label={t('device')}
          description={t('deviceHint')}
          placeholder={t('chooseDevice')}
          nothingFoundMessage={t('noDeviceFound')}
          data={bySite(devices)}
          value={chosen?.id ?? null}
          onChange={setChosenId}
          allowDeselect={false}
          searchable
          selectFirstOptionOnChange
        />
      )}

      <section aria-label={t('command')}>
        <h3 className={classes.heading}>{t('command')}</h3>
        <p className={classes.hint}>
          {devices?.length === 0 ? t.rich('noDevices', { link: linkToSites }) : t('commandHint')}
        </p>
        <CodeBlock text={command} label={t('command')} copyLabel={t('copyCommand')} onCopied={confirmCopied} />
      </section>

      {chosen !== undefined && <TestRowForm key={chosen.id} apiKey={key} device={chosen} />}

      <Group justify="flex-end" gap="xs">
        {isAsking && !isCopied ? (
          <>
            <Text role="alert" className={classes.asking}>
              {t('notCopied')}
            </Text>
            <Button variant="default" onClick={onDone}>
              {t('closeAnyway')}
            </Button>
          </>
        ) : (
          <Button onClick={() => (isCopied ? onDone() : setIsAsking(true))}>{t('done')}</Button>
        )}
      </Group>
    </Stack>
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
