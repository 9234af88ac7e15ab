export const errors = {
  title: 'This could not be loaded',
  unexpected: 'Something went wrong. Try again; if it happens again, tell your administrator.',
  offline: 'The portal cannot be reached right now.',
  outdated: 'The portal answered in a way this page does not understand. Reload the page to get its newest version.',
  notFoundTitle: 'There is no such page',
  notFoundText: 'The address may be mistyped, or the page has moved.',
  goHome: 'Go to the start page',
  forbiddenTitle: 'Only for administrators',
  forbiddenText: 'Your account may not open this page. Ask an administrator if you need it.',
  crashTitle: 'This page stopped working',
  reload: 'Reload the page',
  required: 'This field must not be empty.',
} as const;
