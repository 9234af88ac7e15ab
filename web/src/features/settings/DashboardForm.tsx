import { Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';
import type { EmbeddedDashboard } from '../../../../shared/embedded-dashboards.ts';
import { TheirsKept } from '../../lib/edit-conflict.ts';
import { DialogForm } from '../../ui/DialogForm.tsx';
import { useFormRefusal } from '../../ui/use-form-refusal.ts';
import { useSaveEmbeddedDashboard } from './dashboards-query.ts';

interface DashboardFormProps {
  /** Null adds a new one. */
  dashboard: EmbeddedDashboard | null;
  /** The path under which all of them lie. */
  prefix: string;
  onDone: () => void;
}

/** Adds a dashboard to the menu, or changes one. */
export function DashboardForm({ dashboard, prefix, onDone }: DashboardFormProps) {
  const t = useTranslations('settings.dashboards');
  const tAll = useTranslations();
  const save = useSaveEmbeddedDashboard();
  const form = useForm({
    initialValues: {
      title: dashboard?.title ?? '',
      description: dashboard?.description ?? '',
      path: dashboard?.path ?? `${prefix}/dashboards/`,
    },
    validate: {
      title: (title) => (title.trim() === '' ? tAll('errors.required') : null),
      path: (path) => (path.trim().startsWith(prefix) ? null : t('pathMissing', { prefix })),
    },
  });
  const refusal = useFormRefusal(form, ['title', 'description', 'path']);
  const submit = refusal.onSubmit((values) =>
    save.mutate(
      { seen: dashboard, values },
      {
        onSuccess: ({ title: name }) => {
          notifications.show({
            color: 'green',
            message: dashboard === null ? t('added', { name }) : tAll('terms.saved', { name }),
          });
          onDone();
        },
        onError: (error) => (error instanceof TheirsKept ? onDone() : refusal.show(error)),
      },
    ),
  );

  return (
    <DialogForm
      onSubmit={submit}
      refusal={refusal.text}
      submitLabel={tAll(dashboard === null ? 'common.add' : 'common.saveChanges')}
      isPending={save.isPending}
      onCancel={onDone}
    >
      <TextInput
        {...form.getInputProps('title')}
        data-autofocus
        label={t('title')}
        maxLength={100}
        autoComplete="off"
      />
      <TextInput
        {...form.getInputProps('path')}
        label={t('path')}
        description={t('pathHint', { prefix })}
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
      />
      <Textarea
        {...form.getInputProps('description')}
        label={t('text')}
        description={t('textHint')}
        maxLength={500}
        autosize
        minRows={2}
      />
    </DialogForm>
  );
}
