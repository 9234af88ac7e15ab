// Lints the OpenAPI documents of both run modes by redocly.yaml.
import { join } from 'node:path';
import { formatProblems, lintFromString, loadConfig } from '@redocly/openapi-core';
import { readApiDocuments } from '../test/support/api-documents.ts';
import { main, root } from './project.mjs';

await main(async () => {
  const config = await loadConfig({ configPath: join(root, 'redocly.yaml') });
  let count = 0;
  for (const { mode, text } of await readApiDocuments()) {
    const problems = await lintFromString({ source: text, config, absoluteRef: join(root, `openapi-${mode}.json`) });
    count += problems.length;
    if (problems.length > 0) formatProblems(problems, { version: '', totals: { errors: 0, warnings: 0, ignored: 0 } });
  }
  return count === 0 ? 0 : 1;
});
