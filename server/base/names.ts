// The root collation. So the order does not depend on the place where the portal or its database runs.
const collator = new Intl.Collator('und', { numeric: true });

/**
 * The order of names in lists: "Meter 2" before "Meter 10", and "Ärzte" beside "Arzt". Upper and lower case are compared last.
 */
export const compareNames = (a: string, b: string): number => collator.compare(a, b);

/** For `toSorted`: compares by the first of these fields in which two items differ. */
export const byNames =
  <Field extends string>(...fields: readonly Field[]) =>
  (a: Readonly<Record<Field, string>>, b: Readonly<Record<Field, string>>): number =>
    fields.reduce((order, field) => order || compareNames(a[field], b[field]), 0);
