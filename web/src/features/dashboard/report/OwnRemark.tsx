import { Button, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { maxRemarkLength, reportRemark, type ReportRemark } from '../../../../../shared/reports.ts';
import { reportRemarkVersion } from '../../../../../shared/versions.ts';
import { useHasRole } from '../../../lib/current-user.ts';
import { wireChoice } from '../../../lib/device-choice.ts';
import { saveOver, TheirsKept } from '../../../lib/edit-conflict.ts';
import { useErrorText } from '../../../lib/error-text.ts';
import { fetchJson } from '../../../lib/http.ts';
import { useFormat } from '../../../lib/use-format.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../../../ui/DialogForm.tsx';
import { useDialog } from '../../../ui/use-dialog.ts';
import classes from './Report.module.css';
import { remarkPath, remarkQuery, type RemarkedReport } from './report-query.ts';

/** What somebody remarks about the report, and where administrators do so. */
export function OwnRemark(props: RemarkedReport) {
  const t = useTranslations('report.ownRemark');
  const isAdmin = useHasRole('Admin');
  const errorText = useErrorText();
  const { data, error } = useQuery(remarkQuery(props));
  const editing = useDialog<ReportRemark>();
  if (data === undefined) return error !== null && <p className="detail">{errorText(error)}</p>;
  const verb = t(data.remark === '' ? 'add' : 'change');
  return (
    <>
      {data.remark !== '' && <p className={classes.ownRemark}>{data.remark}</p>}
      {isAdmin && (
        <Button
          className="screen-only"
          variant="subtle"
          size="compact-sm"
          mb="xs"
          leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
          onClick={() => editing.open(data)}
        >
          {verb}
        </Button>
      )}
      {editing.subject !== null && (
        <Dialog opened={editing.isOpen} onClose={editing.close} title={verb}>
          <RemarkForm {...props} seen={editing.subject} onDone={editing.close} />
        </Dialog>
      )}
    </>
  );
}

function RemarkForm({ seen, onDone, ...of }: RemarkedReport & { seen: ReportRemark; onDone: () => void }) {
  const t = useTranslations('report.ownRemark');
  const tCommon = useTranslations('common');
  const { integer } = useFormat();
  const errorText = useErrorText();
  const client = useQueryClient();
  const [remark, setRemark] = useState(seen.remark);
  const { queryKey } = remarkQuery(of);
  const query = { period: of.period, ...wireChoice(of.choice) };
  const save = useMutation({
    mutationFn: () =>
      saveOver({
        seen,
        versionOf: reportRemarkVersion,
        write: (ifMatch) => fetchJson(remarkPath, reportRemark, { method: 'PUT', query, json: { remark }, ifMatch }),
        read: () => fetchJson(remarkPath, reportRemark, { query }),
        describe: (theirs) => [{ label: t('label'), mine: remark.trim(), theirs: theirs.remark }],
      }),
    onSuccess: (saved) => {
      client.setQueryData(queryKey, saved);
      notifications.show({ color: 'green', message: t('saved') });
      onDone();
    },
    onError: (error) => {
      void client.invalidateQueries({ queryKey });
      if (error instanceof TheirsKept) onDone();
    },
  });
  return (
    <DialogForm
      onSubmit={() => save.mutate()}
      refusal={save.error === null || save.error instanceof TheirsKept ? null : errorText(save.error)}
      submitLabel={tCommon('saveChanges')}
      isPending={save.isPending}
      onCancel={onDone}
    >
      <Textarea
        data-autofocus
        label={t('label')}
        description={t('hint', { max: integer(maxRemarkLength) })}
        maxLength={maxRemarkLength}
        autosize
        minRows={4}
        maxRows={12}
        value={remark}
        onChange={(event) => setRemark(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
