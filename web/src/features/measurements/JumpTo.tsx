import { Button, Popover, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { IconArrowDownToArc } from '@tabler/icons-react';
import { useState, type SubmitEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '../../lib/error-text.ts';
import type { TimeRange } from '../../lib/time-range.ts';
import { fromLocalText, toLocalText } from '../../../../shared/time.ts';
import { useFormat } from '../../lib/use-format.ts';
import classes from './Measurements.module.css';
import { newerCountQuery, type RawFilter } from './queries.ts';

interface JumpToProps {
  filter: RawFilter;
  range: TimeRange;
  timeZone: string;
  totalCount: number;
  /** Called with the position of a row, counted from 0. */
  onJump: (index: number) => void;
}

/** Finds a row by its number or its time. */
export function JumpTo({ filter, range, timeZone, totalCount, onJump }: JumpToProps) {
  const t = useTranslations('measurements.jump');
  const [isOpen, setIsOpen] = useState(false);
  const jump = (index: number) => {
    setIsOpen(false);
    // After the popover has returned the focus to its button.
    setTimeout(() => onJump(Math.min(index, totalCount - 1)), 50);
  };
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          disabled={totalCount === 0}
          leftSection={<IconArrowDownToArc size={15} stroke={1.75} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t('open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.jump}>
        <ToTime filter={filter} range={range} timeZone={timeZone} onJump={jump} />
        <ToRow totalCount={totalCount} onJump={jump} />
      </Popover.Dropdown>
    </Popover>
  );
}

function ToTime({ filter, range, timeZone, onJump }: Pick<JumpToProps, 'filter' | 'range' | 'timeZone' | 'onJump'>) {
  const t = useTranslations('measurements.jump');
  const tCommon = useTranslations('common');
  const format = useFormat();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [text, setText] = useState(() => toLocalText(filter.toMs, timeZone));
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const atMs = fromLocalText(text, timeZone);
    if (atMs === null) return setProblem(tCommon('timeRange.incomplete'));
    if (atMs < range.fromMs || atMs > range.toMs) {
      return setProblem(t('outside', { range: format.dateTimeSpan(range.fromMs, range.toMs, timeZone) }));
    }
    setIsPending(true);
    try {
      onJump(await queryClient.fetchQuery(newerCountQuery(filter, filter.toMs, atMs)));
    } catch (error) {
      setProblem(errorText(error));
    }
    setIsPending(false);
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className={classes.jumpForm}>
      <TextInput
        type="datetime-local"
        label={t('time')}
        value={text}
        error={problem}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(null);
        }}
      />
      <Button type="submit" variant="default" loading={isPending}>
        {t('go')}
      </Button>
    </form>
  );
}

function ToRow({ totalCount, onJump }: Pick<JumpToProps, 'totalCount' | 'onJump'>) {
  const t = useTranslations('measurements.jump');
  const format = useFormat();
  const [text, setText] = useState('');
  const row = Number(text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (row > 0) onJump(row - 1);
  };
  return (
    <form onSubmit={submit} noValidate className={classes.jumpForm}>
      <TextInput
        label={t('row', { count: format.integer(totalCount) })}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value.replaceAll(/\D/g, ''))}
      />
      <Button type="submit" variant="default" disabled={row < 1}>
        {t('go')}
      </Button>
    </form>
  );
}
