import { Button, Menu } from '@mantine/core';
import { IconBell, IconPencil, IconPlus, IconPower } from '@tabler/icons-react';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { AlarmRule } from '../../../../../shared/alarms.ts';
import { alarmRuleVersion } from '../../../../../shared/versions.ts';
import { alarmRulesPath, alarmRulesQuery } from '../../../entities/alarms.ts';
import { SeverityChip } from '../../../entities/OpenAlarms.tsx';
import { TheirsKept } from '../../../lib/edit-conflict.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { useCreates, useDelete, useRenew } from '../../../lib/mutations.ts';
import { ConfirmByName } from '../../../ui/ConfirmByName.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { useDialog } from '../../../ui/DialogForm.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ListTable } from '../../../ui/ListTable.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import type { Column } from '../../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../../ui/RowMenu.tsx';
import { RowsSkeleton } from '../../../ui/Skeletons.tsx';
import { AlarmRuleForm, useSaveAlarmRule } from './AlarmRuleForm.tsx';
import { useRuleWords } from './use-rule-words.ts';
import classes from '../section.module.css';

/** The alarm rules: their conditions and recipients. */
export function AlarmRulesSection() {
  const t = useTranslations('alarmRules');
  const title = useTranslations('sections')('alarmRules');
  const rules = useQuery(alarmRulesQuery);
  const editing = useDialog<AlarmRule | null>();
  const deleting = useDialog<AlarmRule>();
  useCreates(() => editing.open(null));
  return (
    <Panel
      flush
      title={title}
      description={t('description')}
      actions={
        <Button leftSection={<IconPlus size={16} stroke={2} aria-hidden />} onClick={() => editing.open(null)}>
          {t('new')}
        </Button>
      }
    >
      <Loaded queries={[rules]} skeleton={<RowsSkeleton rows={3} isInset />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState icon={<IconBell size={22} stroke={1.75} />} title={t('emptyTitle')}>
              {t('emptyText')}
            </EmptyState>
          ) : (
            <RuleTable rules={data} onEdit={editing.open} onDelete={deleting.open} />
          )
        }
      </Loaded>
      <Dialog
        opened={editing.isOpen}
        onClose={editing.close}
        size="lg"
        title={t(editing.subject === null ? 'new' : 'edit')}
      >
        <AlarmRuleForm rule={editing.subject} onDone={editing.close} />
      </Dialog>
      {deleting.subject !== null && (
        <DeleteRuleDialog rule={deleting.subject} opened={deleting.isOpen} onClose={deleting.close} />
      )}
    </Panel>
  );
}

interface RuleTableProps {
  rules: readonly AlarmRule[];
  onEdit: (rule: AlarmRule) => void;
  onDelete: (rule: AlarmRule) => void;
}

function RuleTable({ rules, onEdit, onDelete }: RuleTableProps) {
  const t = useTranslations('alarmRules');
  const tAll = useTranslations();
  const { summary } = useRuleWords();
  const toggle = useToggle();
  const columns: Column<AlarmRule>[] = [
    {
      id: 'name',
      header: tAll('common.name'),
      kind: 'name',
      sortBy: ({ name }) => name,
      renderCell: (rule) => (
        <>
          <div className={classes.name}>{rule.name}</div>
          <div className={classes.dimmed}>
            {[t(`kinds.${rule.kind}`), summary(rule)].filter((part) => part !== '').join(' · ')}
          </div>
        </>
      ),
    },
    {
      id: 'severity',
      header: tAll('alarms.columns.severity'),
      renderCell: ({ severity }) => <SeverityChip severity={severity} />,
    },
    {
      id: 'told',
      header: t('told'),
      renderCell: ({ recipients }) => t('toldCount', { count: recipients.length }),
    },
    {
      id: 'state',
      header: tAll('terms.state'),
      renderCell: ({ isActive }) => tAll(isActive ? 'terms.active' : 'alarmRules.inactive'),
    },
    {
      id: 'actions',
      header: tAll('common.actions'),
      kind: 'actions',
      renderCell: (rule) => (
        <RowMenu label={tAll('terms.actionsFor', { name: rule.name })}>
          <Menu.Item leftSection={<IconPencil size={16} stroke={1.75} />} onClick={() => onEdit(rule)}>
            {tAll('common.edit')}
          </Menu.Item>
          <Menu.Item leftSection={<IconPower size={16} stroke={1.75} />} onClick={() => toggle(rule)}>
            {tAll(rule.isActive ? 'terms.switchOff' : 'terms.switchOn')}
          </Menu.Item>
          <DeleteItem onClick={() => onDelete(rule)}>{t('delete')}</DeleteItem>
        </RowMenu>
      ),
    },
  ];
  return (
    <ListTable
      label={tAll('sections.alarmRules')}
      columns={columns}
      rows={rules}
      rowKey={({ id }) => id}
      textOf={(rule) => `${rule.name} ${t(`kinds.${rule.kind}`)}`}
    />
  );
}

/** Activates or deactivates a rule. */
function useToggle() {
  const tTerms = useTranslations('terms');
  const errorText = useErrorText();
  const save = useSaveAlarmRule();
  return (rule: AlarmRule) =>
    save.mutate(
      { seen: rule, values: { ...rule, isActive: !rule.isActive } },
      {
        onError: (error) => {
          if (error instanceof TheirsKept) return;
          notifications.show({ color: 'red', message: tTerms('failed', { reason: errorText(error) }) });
        },
      },
    );
}

interface DeleteRuleDialogProps {
  rule: AlarmRule;
  opened: boolean;
  onClose: () => void;
}

function DeleteRuleDialog({ rule, opened, onClose }: DeleteRuleDialogProps) {
  const t = useTranslations('alarmRules');
  const tTerms = useTranslations('terms');
  const remove = useDelete<AlarmRule>(alarmRulesPath, alarmRuleVersion, useRenew(alarmRulesQuery.queryKey));
  return (
    <ConfirmByName
      opened={opened}
      title={t('delete')}
      name={rule.name}
      onConfirm={() => remove.mutateAsync(rule)}
      done={tTerms('deleted', { name: rule.name })}
      onClose={onClose}
    >
      {t('deleteText')}
    </ConfirmByName>
  );
}
