import { inFile, type Mutant } from './mutant.ts';

/** The API document, workbooks, migrations and licences. */
export const documentMutants: readonly Mutant[] = [
  inFile('server/http/api-components.ts', 'test/lint/api.test.ts')(
    'ids-exploded',
    'decisions, 1 OpenAPI',
    "style: 'form', explode: false",
    "style: 'form', explode: true",
  ),
  inFile('server/http/api-components.ts', 'test/lint/api.test.ts')(
    'optional-body-required',
    'decisions, 1 OpenAPI',
    'required: false, content:',
    'required: true, content:',
  ),
  inFile('server/http/api-components.ts', 'test/lint/api.test.ts')(
    'schemas-twice',
    'decisions, 1 OpenAPI',
    'return (name) => equal.has(name);',
    "return (name) => equal.has(name) && name === '';",
  ),
  inFile('server/http/api-docs.ts', 'test/lint/api.test.ts')(
    'retry-after-of-503',
    'decisions, 1 OpenAPI',
    "status === '429' || status === '503'",
    "status === '429'",
  ),
  inFile('server/http/reading-source.ts', 'test/lint/api.test.ts')(
    'operation-ids-alike',
    'decisions, 1 OpenAPI',
    '(id) => `${id}OfCustomer`',
    '(id) => id',
  ),
  inFile('server/http/customers.ts', 'test/lint/api.test.ts')(
    'operation-renamed',
    'decisions, 1 OpenAPI',
    "operationId: 'rotateCustomerToken'",
    "operationId: 'rotateToken'",
  ),
  inFile('server/http/resources.ts', 'test/lint/api.test.ts')(
    'etag-not-documented',
    'decisions, 1 OpenAPI',
    '200: versioned(answer)',
    '200: answer',
  ),
  inFile('server/http/ranges.ts', 'test/lint/api.test.ts')(
    'language-not-listed',
    'decisions, 1 OpenAPI',
    'language: z.enum(languages)',
    'language: z.string()',
  ),
  inFile('server/http/answer-export.ts', 'test/lint/api.test.ts')(
    'file-name-not-documented',
    'decisions, 1 OpenAPI',
    'headers: { ...fileHeaders, ...headers }',
    'headers',
  ),
  inFile('server/http/api-schemas.ts', 'test/lint/api.test.ts')(
    'error-not-named',
    'decisions, 1 OpenAPI',
    '  Error: errorBody,\n',
    '',
  ),
  inFile('server/export/workbook-parts.ts', 'server/export/workbook-writer.test.ts')(
    'print-titles-second-row',
    'specification, Measurements rule 8',
    '!$1:$1</definedName>',
    '!$2:$2</definedName>',
  ),
  inFile('server/export/workbook-parts.ts', 'server/export/workbook-writer.test.ts')(
    'print-portrait',
    'specification, Measurements rule 8',
    'fitToWidth="1" fitToHeight="0" orientation="landscape"',
    'fitToWidth="1" fitToHeight="0" orientation="portrait"',
  ),
  inFile('server/export/workbook-writer.ts', 'server/export/workbook-writer.test.ts')(
    'print-not-fitted',
    'specification, Measurements rule 8',
    'fitToPage="1"',
    'fitToPage="0"',
  ),
  inFile('server/export/workbook-writer.ts', 'server/export/workbook-writer.test.ts')(
    'dimension-a-row-short',
    'specification, Measurements rule 8',
    'Math.min(this.#maxRows, open.left + 1)',
    'Math.min(this.#maxRows, open.left)',
  ),
  inFile('server/export/workbook-writer.ts', 'server/export/workbook-writer.test.ts')(
    'rows-not-counted',
    'specification, Measurements rule 8',
    'open.left -= to - from;',
    '',
  ),
  inFile('server/export/workbook-writer.ts', 'server/export/workbook-writer.test.ts')(
    'fewer-rows-than-announced',
    'specification, Measurements rule 8',
    'if (open.left !== 0) {',
    'if (open.left < 0) {',
  ),
  inFile('server/export/workbook-writer.ts', 'server/export/workbook-cells.test.ts')(
    'a-cell-too-many',
    'specification, Measurements rule 8',
    'if (row.length > columns.length) {',
    'if (row.length > columns.length + 1) {',
  ),
  inFile('server/db/migrator.ts', 'server/db/migrator.test.ts')(
    'first-migration-of-any-name',
    'decisions, 8 ordered, checksummed migrations',
    'row.stream === stream && row.name === first',
    'row.stream === stream',
  ),
  inFile('server/db/migrator.ts', 'server/db/migrator.test.ts')(
    'no-migration-at-all',
    'decisions, 8 ordered, checksummed migrations',
    'first !== undefined && !applied',
    '!applied',
  ),
  inFile('server/db/migrator.ts', 'server/db/migrator.test.ts')(
    'last-migration-as-first',
    'decisions, 8 ordered, checksummed migrations',
    'if (!firstOf.has(stream)) firstOf.set',
    'firstOf.set',
  ),
  inFile('scripts/third-party.mjs', 'test/lint/licences.test.ts')(
    'licence-for-any-package',
    'third-party licences and comments of tables',
    'one.licence === id && one.name.test(name)',
    'one.licence === id',
  ),
  inFile('scripts/third-party.mjs', 'test/lint/licences.test.ts')(
    'every-licence-of-several',
    'third-party licences and comments of tables',
    'if (ways.some((way) =>',
    'if (ways.every((way) =>',
  ),
  inFile('scripts/third-party.mjs', 'test/lint/licences.test.ts')(
    'one-licence-of-both',
    'third-party licences and comments of tables',
    "way.split(' AND ').every(isAllowed)",
    "way.split(' AND ').some(isAllowed)",
  ),
  inFile('scripts/schema-comments.mjs', 'test/lint/schema-comments.test.ts')(
    'comments-of-views',
    'third-party licences and comments of tables',
    'if (ofView !== null)',
    'if (ofView === undefined)',
  ),
];
