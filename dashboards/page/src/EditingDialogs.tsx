import { DeletePanelDialog, DeletePanelGroupDialog, PanelDrawer, PanelGroupDialog } from '@perses-dev/dashboards';
import { ValidationProvider } from '@perses-dev/plugin-system';
import { WithShownRange } from './RangeProvider.tsx';

/** What only those who edit need. */
export function EditingDialogs() {
  return (
    <ValidationProvider>
      <WithShownRange>
        <PanelDrawer />
      </WithShownRange>
      <PanelGroupDialog />
      <DeletePanelGroupDialog />
      <DeletePanelDialog />
    </ValidationProvider>
  );
}
