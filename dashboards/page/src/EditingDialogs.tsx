import {
  DeletePanelDialog,
  DeletePanelGroupDialog,
  EditJsonDialog,
  PanelDrawer,
  PanelGroupDialog,
  useEditMode,
} from '@perses-dev/dashboards';
import { ValidationProvider } from '@perses-dev/plugin-system';

/** What only those who edit need; most of its code is the editor of JSON. */
export function EditingDialogs() {
  const { isEditMode } = useEditMode();
  return (
    <ValidationProvider>
      <PanelDrawer />
      <PanelGroupDialog />
      <DeletePanelGroupDialog />
      <DeletePanelDialog />
      <EditJsonDialog isReadonly={!isEditMode} disableMetadataEdition />
    </ValidationProvider>
  );
}
