export const dashboards = {
  menu: 'Dashboards',
  new: 'New dashboard',
  gone: 'Dashboards are unavailable ({reason}). Reconnecting…',
  reason: 'Reason: {reason}.',
  reasons: {
    notBuilt: 'build failed: {detail}',
    ended: 'stopped: {detail}',
    noAnswer: 'no response from Dashboard__Upstream',
  },
  installingTitle: 'Installing dashboards…',
  installingText: 'Packages are downloaded once. This takes a minute or two. This page updates automatically.',
  buildingTitle: 'Building dashboards…',
  buildingText: 'This takes about a minute, once and after each update. This page updates automatically.',
  startingTitle: 'Starting dashboards…',
  startingText: 'This takes a few seconds. This page updates automatically.',
  failedTitle: 'Dashboards aren’t running',
  failedText: 'The portal retries automatically. See its log for details. Everything else works.',
  offTitle: 'Dashboards aren’t set up',
  offText:
    'Start the dashboard service behind the same proxy and set Dashboard__Upstream to its address, or let the portal start it with Dashboard__Start.',
  askAdmin: 'If this continues, contact your administrator.',
} as const;
