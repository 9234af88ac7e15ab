import { IconEraser } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { RemovalQuestion } from '../../../../shared/removals.ts';
import type { ChosenDevices } from '../../lib/chosen-devices.ts';
import { useHasRole } from '../../lib/current-user.ts';
import { loadCode } from '../../lib/load-code.ts';
import { ownApi } from '../../lib/readings-api.ts';
import { type TimeRange, wireInstants } from '../../lib/time-range.ts';
import { useDialog } from '../../ui/DialogForm.tsx';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';

const RemovalDialog = lazy(loadCode(async () => ({ default: (await import('./RemovalDialog.tsx')).RemovalDialog })));

interface RemoveRowsProps {
  api: string;
  kind: RemovalQuestion['kind'];
  chosen: ChosenDevices;
  /** The content of the table. */
  range: TimeRange;
  isEmpty: boolean;
  timeZone: string;
}

/** Lets an administrator remove wrong readings or intervals of one device in the range of the table. */
export function RemoveRows({ api, kind, chosen, range, isEmpty, timeZone }: RemoveRowsProps) {
  const t = useTranslations('measurements.removal');
  const isAdmin = useHasRole('Admin');
  const removing = useDialog<{ device: ChosenDevices['devices'][number]; question: RemovalQuestion }>();
  const [device, another] = chosen.devices;
  if (!isAdmin || api !== ownApi || device === undefined) return null;
  const { subject } = removing;
  return (
    <>
      <ReasonedButton
        variant="subtle"
        color="red"
        size="xs"
        reason={isEmpty ? t('none') : another === undefined ? null : t('oneDevice')}
        leftSection={<IconEraser size={15} stroke={1.75} aria-hidden />}
        onClick={() => removing.open({ device, question: { kind, ...wireInstants(range) } })}
      >
        {t('open')}
      </ReasonedButton>
      {subject !== null && (
        <Suspense>
          <RemovalDialog {...subject} timeZone={timeZone} opened={removing.isOpen} onClose={removing.close} />
        </Suspense>
      )}
    </>
  );
}
