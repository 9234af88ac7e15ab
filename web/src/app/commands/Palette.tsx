import { Box, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { findCommands, type Command } from './find-commands.ts';
import { useCommands } from './use-commands.ts';
import classes from './Commands.module.css';

interface PaletteProps {
  onDone: () => void;
  onShortcuts: () => void;
}

/** The number of options that PageUp and PageDown skip. */
const page = 8;

/** A field that finds pages and actions; arrow keys choose one, Enter runs it. */
export function Palette({ onDone, onShortcuts }: PaletteProps) {
  const t = useTranslations('palette');
  const tTerms = useTranslations('terms');
  const tCommon = useTranslations('common');
  const listId = useId();
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const all = useCommands(
    [{ id: 'shortcuts', kind: 'action', label: t('shortcuts.title'), hint: '', keys: '?', run: onShortcuts }],
    search,
  );
  const groups = findCommands(all.commands, search, all.unsent);
  const commands = groups.flatMap((group) => group.commands);
  const chosen = commands[Math.min(at, commands.length - 1)];
  const optionId = (command: Command) => `${listId}-${command.kind}-${command.id}`;

  const run = (command: Command) => {
    onDone();
    command.run();
  };
  const move = (to: number) => setAt(Math.max(0, Math.min(to, commands.length - 1)));
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, () => void> = {
      ArrowDown: () => setAt(at + 1 < commands.length ? at + 1 : 0),
      ArrowUp: () => setAt(at > 0 ? at - 1 : Math.max(0, commands.length - 1)),
      PageDown: () => move(at + page),
      PageUp: () => move(at - page),
      Enter: () => chosen !== undefined && run(chosen),
    };
    const act = moves[event.key];
    // Ignore Enter while an IME composition is active.
    if (act === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };

  const chosenId = chosen === undefined ? undefined : optionId(chosen);
  useEffect(() => {
    if (chosenId !== undefined) document.getElementById(chosenId)?.scrollIntoView({ block: 'nearest' });
  }, [chosenId]);

  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t('title')}
        aria-autocomplete="list"
        aria-expanded={commands.length > 0}
        aria-controls={commands.length > 0 ? listId : undefined}
        aria-activedescendant={chosenId}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        placeholder={t('placeholder')}
        leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setAt(0);
          list.current?.scrollTo({ top: 0 });
        }}
        onKeyDown={onKeyDown}
      />
      {commands.length === 0 ? (
        <div className={classes.list}>
          <p className={classes.nothing}>{all.isSearching ? tCommon('loading') : t('nothing')}</p>
        </div>
      ) : (
        <div ref={list} role="listbox" id={listId} aria-label={t('found')} className={classes.list}>
          {groups.map(({ kind, commands: members, more }) => (
            <div key={kind} role="group" aria-label={t(`kinds.${kind}`)}>
              <div role="presentation" className={classes.group}>
                {t(`kinds.${kind}`)}
              </div>
              {members.map((command) => (
                <Box
                  key={command.id}
                  id={optionId(command)}
                  role="option"
                  aria-selected={command === chosen}
                  className={classes.option}
                  // The focus stays in the field.
                  onMouseDown={(event) => event.preventDefault()}
                  onMouseMove={() => setAt(commands.indexOf(command))}
                  onClick={() => run(command)}
                >
                  <span className={classes.label}>{command.label}</span>
                  <span className={`${classes.hint} one-line`}>{command.hint}</span>
                  {command.keys !== undefined && <Keys text={command.keys} />}
                </Box>
              ))}
              {more > 0 && (
                <div role="presentation" className={classes.nothing}>
                  {tTerms('typeMore', { count: more })}
                </div>
              )}
            </div>
          ))}
        </div>
      )}
      <div role="status" className="visually-hidden">
        {!all.isSearching && t('count', { count: commands.length })}
      </div>
    </>
  );
}

/** Only visible: screen readers announce this together with the option. */
function Keys({ text }: { text: string }) {
  return (
    <span aria-hidden className={classes.shortcut}>
      {text.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
