import { Switch } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../ui/Dialog.tsx';
import { Palette } from './Palette.tsx';
import { isMac, singleKeysStore } from './keys.ts';
import { usePages } from './use-pages.ts';
import classes from './Commands.module.css';

export interface CommandDialogsProps {
  shown: 'palette' | 'shortcuts' | null;
  onShow: (next: 'palette' | 'shortcuts' | null) => void;
}

/** The command palette and the list of shortcuts. */
export function CommandDialogs({ shown, onShow }: CommandDialogsProps) {
  const t = useTranslations('palette');
  const close = () => onShow(null);
  return (
    <>
      <Dialog opened={shown === 'palette'} onClose={close} size="lg" title={t('title')} isLight>
        <Palette onDone={close} onShortcuts={() => onShow('shortcuts')} />
      </Dialog>
      <Dialog opened={shown === 'shortcuts'} onClose={close} title={t('shortcuts.title')} isLight>
        <Shortcuts />
      </Dialog>
    </>
  );
}

function Shortcuts() {
  const t = useTranslations('palette.shortcuts');
  const tPalette = useTranslations('palette');
  const [hasSingleKeys, setHasSingleKeys] = useLocalStorage({ key: singleKeysStore, defaultValue: true });
  const pages = usePages();
  const everywhere: Row[] = [
    [t('palette'), [isMac ? '⌘' : tPalette('ctrl'), 'K']],
    [t('list'), ['?']],
    ...pages.map(({ name, key }): Row => [name, ['G', key.toUpperCase()]]),
  ];
  const onChart: Row[] = [
    [t('walk'), ['←', '→']],
    [t('walkFast'), ['⇧', '←', '→']],
    [t('ends'), ['Home', 'End']],
    [t('zoom'), ['+', '−']],
    [t('unzoom'), ['Esc']],
  ];
  return (
    <>
      <KeyTable caption={t('everywhere')} rows={everywhere} />
      <KeyTable caption={t('onChart')} rows={onChart} />
      <Switch
        label={t('singleKeys')}
        description={t('singleKeysHint')}
        checked={hasSingleKeys}
        onChange={(event) => setHasSingleKeys(event.currentTarget.checked)}
      />
    </>
  );
}

type Row = [name: string, keys: string[]];

function KeyTable({ caption, rows }: { caption: string; rows: readonly Row[] }) {
  return (
    <table className={classes.keys}>
      <caption>{caption}</caption>
      <tbody>
        {rows.map(([name, keys]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
