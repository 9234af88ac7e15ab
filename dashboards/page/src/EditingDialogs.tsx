import { DeletePanelDialog, DeletePanelGroupDialog, PanelDrawer, PanelGroupDialog } from '@perses-dev/dashboards';
import { ValidationProvider } from '@perses-dev/plugin-system';
import { WithShownRange } from './RangeProvider.tsx';

/** Loaded only for users who edit. */
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
