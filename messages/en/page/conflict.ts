export const conflict = {
  title: 'Someone else changed this',
  text: 'Someone saved a newer version while you were editing. Which one do you want to keep?',
  field: 'Field',
  mine: 'Your version',
  theirs: 'Their version',
  takeTheirs: 'Keep theirs',
  keepMine: 'Overwrite with mine',
} as const;
