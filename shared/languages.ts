/** The languages of the page, and of the texts in a workbook; English is the one that there always is. */
export const languages = ['en', 'de', 'fr', 'es', 'nl', 'it'] as const;
export type Language = (typeof languages)[number];
