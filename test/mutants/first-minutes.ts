import { inFile, type Mutant } from './mutant.ts';

/** What a newcomer meets first, and passwords. */
export const firstMinutesMutants: readonly Mutant[] = [
  inFile('server/http/accept.ts', 'server/http/accept.test.ts')(
    'accept-stricter',
    'decisions, 1 pages',
    'quality > 0 && quality >= qualityOf',
    'quality > 0 && quality > qualityOf',
  ),
  inFile('server/http/accept.ts', 'server/http/accept.test.ts')(
    'language-the-last',
    'docs/adr/0028-startup.md, a page while it starts',
    'quality > (preferred?.quality ?? 0)',
    'quality >= (preferred?.quality ?? 0)',
  ),
  inFile('server/http/web-page.ts', 'server/http/web-page.test.ts')(
    'pages-without-vary',
    'decisions, 1 pages',
    "if (mayBePage) void reply.header('vary', 'accept');",
    '',
  ),
  inFile('server/http/web-page.ts', 'server/http/web-page.test.ts')(
    'files-as-pages',
    'decisions, 1 pages',
    'isFile ? namesHtml(accept) : takesHtml(accept)',
    'takesHtml(accept)',
  ),
  inFile('server/http/starting-server.ts', 'server/http/starting-page.test.ts')(
    'starting-page-markup',
    'docs/adr/0028-startup.md, a page while it starts',
    'const name = plainText(branding.applicationName);',
    'const name = branding.applicationName;',
  ),
  inFile('server/accounts/passwords.ts', 'server/accounts/passwords.test.ts')(
    'common-passwords-turned',
    'decisions, 2 Authentication__RefuseCommonPasswords',
    'new Set(refuseCommon ? readFileSync',
    'new Set(!refuseCommon ? readFileSync',
  ),
  inFile('deploy/compose.yaml', 'test/lint/compose.test.ts')(
    'common-passwords-in-stacks',
    'decisions, 2 true in the stacks',
    "Authentication__RefuseCommonPasswords: 'true'",
    "Authentication__RefuseCommonPasswords: 'false'",
  ),
  inFile('server/fleet/fleet-trouble.rules.ts', 'server/fleet/fleet-trouble.test.ts')(
    'refused-token-for-ever',
    'specification, ingest accepted again',
    'secondsSince(ms) <= patienceSeconds',
    'secondsSince(ms) <= Infinity',
  ),
  inFile('shared/fleet.ts', 'test/scripts/customer-codes.test.ts')(
    'code-of-a-script',
    'decisions, 4 codes of customers',
    "const takenCodes = ['caddy', 'removed'];",
    "const takenCodes = ['caddy'];",
  ),
  inFile('server/base/backoff.ts', 'server/base/backoff.test.ts')(
    'backoff-above-its-cap',
    'specification, cap of 30 minutes',
    'Math.min(maxSeconds, minSeconds * 2 ** (failures - 1) * (1 + jitter * random))',
    'Math.min(maxSeconds, minSeconds * 2 ** (failures - 1)) * (1 + jitter * random)',
  ),
  inFile('server/usage.mjs', 'test/scripts/help.test.ts')(
    'unknown-word-not-named',
    'CONTRIBUTING.md, every command says what it takes',
    'Unknown argument "${unknown}".',
    'There is no such word here.',
  ),
  inFile('server/accounts/accounts.routes.ts', 'test/integration/accounts.test.ts')(
    'me-401-with-a-body',
    'decisions, 1 GET /api/auth/me answers 401 with an empty body',
    'errorHandler: answerErrorOrEmpty401,',
    '',
    'GET /api/auth/me',
  ),
];
