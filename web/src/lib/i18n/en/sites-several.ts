export const sitesSeveral = {
  choose: 'Choose several',
  end: 'Done',
  chooseOne: 'Choose {name}',
  all: 'All',
  chosen: '{count, plural, =0 {None chosen} one {One chosen} other {# chosen}}',
  noneChosen: 'Choose devices first.',
  off: 'Switch off',
  on: 'Switch on',
  move: 'Move',
  offTitle: 'Switch off {count, plural, one {one device} other {# devices}}',
  onTitle: 'Switch on {count, plural, one {one device} other {# devices}}',
  moveTitle: 'Move {count, plural, one {one device} other {# devices}} to another site',
  offText:
    'They no longer count in the current power and are not watched for silence. What they send is stored all the same.',
  onText: 'They count in the current power again and are watched for silence.',
  moveText: 'Their readings move along, also those of the past: energy and cost of both sites change.',
  changed: '{count, plural, one {One device is} other {# devices are}} changed.',
} as const;
