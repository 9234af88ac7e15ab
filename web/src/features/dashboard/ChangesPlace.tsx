import { BlockSkeleton } from '../../ui/Skeletons.tsx';
import { shownChanges } from './changes.ts';
import classes from './Dashboard.module.css';

const rowHeight = 50;
const frameHeight = 125;

/** The room of the changes while they are on their way, so that what is below stays where it is. */
export function ChangesPlace({ deviceCount }: { deviceCount: number }) {
  return (
    <div className={classes.panel}>
      <BlockSkeleton height={frameHeight + rowHeight * Math.min(shownChanges, deviceCount)} />
    </div>
  );
}
