import { useBranding } from '../lib/branding.ts';
import { BrandMark } from '../ui/BrandMark.tsx';
import { sheetHeadPlace } from '../ui/OnEachSheet.tsx';

/** The head of each printed sheet: the brand, and what the page adds. */
export function SheetHead() {
  const branding = useBranding();
  return (
    <div className="sheet-head">
      <div className="sheet-head-line">
        <BrandMark branding={branding} size={18} />
        <b>{branding.applicationName}</b>
        <div id={sheetHeadPlace} className="sheet-head-place" />
      </div>
    </div>
  );
}
