export const dashboards = {
  menu: 'Dashboards of the menu',
  gone: 'The dashboard tool does not answer at the moment ({reason}). Keep this page open: it goes on by itself.',
  reason: 'Reason: {reason}.',
  reasons: {
    notBuilt: 'its page could not be built: {detail}',
    ended: 'it ended: {detail}',
    noAnswer: 'nothing answers at the address in Dashboard__Upstream',
  },
  installingTitle: 'The dashboard tool is being installed',
  installingText: 'Its packages are downloaded once; that takes a minute or two. This page goes on by itself.',
  buildingTitle: 'The dashboard tool is being built',
  buildingText: 'That takes about a minute, once and after an update. This page goes on by itself.',
  startingTitle: 'The dashboard tool is starting',
  startingText: 'This takes a few seconds. This page goes on by itself.',
  failedTitle: 'The dashboard tool does not run',
  failedText:
    'The portal tries again by itself; its log has the details. Everything else works without the dashboard tool.',
  offTitle: 'There is no dashboard tool',
  offText:
    'Nothing answers under the path of the dashboard tool. Start its service behind the same proxy, set Dashboard__Upstream to its address, or let the portal start it with Dashboard__Start.',
  askAdmin: 'If it stays like this, tell your administrator.',
} as const;
