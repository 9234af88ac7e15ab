import { Menu } from '@mantine/core';
import { IconBell, IconPencil, IconPower } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { AlarmRule } from '../../../../../shared/alarms.ts';
import { alarmRuleVersion } from '../../../../../shared/versions.ts';
import { alarmRulesPath, alarmRulesQuery } from '../../../entities/alarms.ts';
import { SeverityChip } from '../../../entities/OpenAlarms.tsx';
import { useDelete, useRenew } from '../../../lib/mutations.ts';
import { ListTable } from '../../../ui/ListTable.tsx';
import { RecordPanel } from '../../../ui/RecordPanel.tsx';
import type { Column } from '../../../ui/ResponsiveTable.tsx';
import { DeleteItem, RowMenu } from '../../../ui/RowMenu.tsx';
import { useSwitch } from '../../../ui/use-record-form.ts';
import { AlarmRuleForm, useSaveAlarmRule } from './AlarmRuleForm.tsx';
import { useRuleWords } from './use-rule-words.ts';
import classes from '../section.module.css';

/** The alarm rules: their conditions and recipients. */
export function AlarmRulesSection() {
  const t = useTranslations('alarmRules');
  return (
    <RecordPanel
      title={useTranslations('sections')('alarmRules')}
      description={t('description')}
      t={t}
      icon={<IconBell size={22} stroke={1.75} />}
      records={useQuery(alarmRulesQuery)}
      nameOf={({ name }) => name}
      remove={useDelete<AlarmRule>(alarmRulesPath, alarmRuleVersion, useRenew(alarmRulesQuery.queryKey))}
      size="lg"
      renderForm={(rule, close) => <AlarmRuleForm rule={rule} onDone={close} />}
    >
      {(rules, { edit, remove }) => <RuleTable rules={rules} onEdit={edit} onDelete={remove} />}
    </RecordPanel>
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
  const toggle = useSwitch(useSaveAlarmRule());
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
