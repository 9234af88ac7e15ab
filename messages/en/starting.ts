/** What the page says that a browser gets while the portal starts. */
export const starting = {
  title: 'The portal is starting',
  database: 'Waiting for the database…',
  otherPortal: 'Waiting for another portal that is preparing the database…',
  preparation: 'Preparing the database…',
  opens: 'This page opens the portal as soon as it is ready.',
};
