import { inFile, type Mutant } from './mutant.ts';

const lockout = inFile('server/accounts/lockout.rules.ts', 'server/accounts/lockout.test.ts');
const sessions = inFile('server/accounts/sessions.rules.ts', 'server/accounts/sessions.test.ts');
const policy = inFile('shared/accounts.ts', 'server/accounts/passwords.test.ts');
const hashes = inFile('server/accounts/passwords.ts', 'server/accounts/passwords.test.ts');
const crossSite = inFile('server/http/browser-security.ts', 'server/http/cross-site.test.ts');
const attempts = inFile('server/accounts/sign-in-attempts.ts', 'test/integration/lockout.test.ts');
const signIn = inFile('server/accounts/accounts.ts', 'test/integration/accounts.test.ts');
const cookie = inFile('server/accounts/sessions.ts', 'test/integration/accounts.test.ts');
const secureCookie = inFile('server/accounts/sessions.ts', 'test/integration/sessions.test.ts');
const storedSessions = inFile('server/accounts/sessions.sql.ts', 'test/integration/sessions.test.ts');
const users = inFile('server/accounts/users.ts', 'test/integration/users.test.ts');
const ownPassword = inFile('server/accounts/accounts.ts', 'test/integration/sessions.test.ts');
const keys = inFile('server/http/create-guard.ts', 'test/integration/ingest.test.ts');
const apiKeys = inFile('server/accounts/api-keys.ts', 'test/integration/api-keys.test.ts');
const trail = inFile('server/accounts/audit.sql.ts', 'test/integration/audit.test.ts');
const trailPage = inFile('server/accounts/audit.routes.ts', 'test/integration/audit.test.ts');

/** specification, Authentication; decisions 2. */
export const accountMutants: readonly Mutant[] = [
  lockout('lockout-after-six', 'decisions, 2 lockout after 5 failures', 'maxFailures = 5', 'maxFailures = 6'),
  lockout('lockout-after-four', 'decisions, 2 lockout after 5 failures', 'maxFailures = 5', 'maxFailures = 4'),
  lockout(
    'lockout-window',
    'decisions, 2 failures of 15 min',
    'failureWindowMs = 15 * 60_000',
    'failureWindowMs = 16 * 60_000',
  ),
  lockout('lockout-time', 'decisions, 2 locked for 15 min', 'lockMs = 15 * 60_000', 'lockMs = 14 * 60_000'),
  lockout('lockout-counts-on', 'decisions, 2 lockout', 'isLockKnown ? lockedUntil : -Infinity', '-Infinity'),
  attempts(
    'lockout-of-accounts-alone',
    'decisions, 2 429 for unknown emails alike',
    'const failures = lockKey === null ? null : await findFailures(database, lockKey);',
    'const failures =\n      lockKey === null || (await findSecretsByEmail(database, lockKey)) === null ? null : await findFailures(database, lockKey);',
    'whether it has an account or not',
  ),
  attempts(
    'lockout-without-a-success',
    'decisions, 2 lockout',
    'if (isForgiven) for (const one of keys) await deleteFailures(database, one);',
    'void isForgiven;',
    'a success clears',
  ),
  attempts(
    'lockout-counts-nothing',
    'decisions, 2 further attempts get 429',
    "if (failures !== null) refuseWhileLocked(lockedForSeconds(failures, now()), 'accountLocked');",
    '',
    'whether it has an account or not',
  ),
  inFile('server/http/errors.ts', 'test/integration/lockout.test.ts')(
    'no-retry-after',
    'decisions, 2 429 with Retry-After',
    "reply.header('retry-after'",
    "reply.header('x-retry-after'",
    'whether it has an account or not',
  ),

  sessions('session-idle', 'decisions, 2 idle lifetime 8 h', '8 * hourMs', '9 * hourMs'),
  sessions('session-absolute', 'decisions, 2 absolute lifetime 14 days', '14 * 24 * hourMs', '15 * 24 * hourMs'),
  sessions(
    'session-does-not-slide',
    'decisions, 2 sliding',
    'session.lastSeenAt + idleLifetimeMs',
    'session.signedInAt + idleLifetimeMs',
  ),
  sessions(
    'session-without-end',
    'decisions, 2 absolute lifetime',
    'Math.min(session.lastSeenAt + idleLifetimeMs, sessionEndsAt(session))',
    'session.lastSeenAt + idleLifetimeMs',
  ),
  sessions(
    'session-at-its-end',
    'decisions, 2 lifetime',
    'now >= sessionExpiresAt(session)',
    'now > sessionExpiresAt(session)',
  ),
  cookie('cookie-for-scripts', 'decisions, 2 HttpOnly', 'httpOnly: true', 'httpOnly: false', 'a session cookie'),
  cookie(
    'cookie-from-anywhere',
    'decisions, 2 SameSite=Lax',
    "sameSite: 'lax'",
    "sameSite: 'none'",
    'a session cookie',
  ),
  secureCookie('cookie-over-http', 'decisions, 2 Secure with https', 'secure: isHttps', 'secure: false', 'Secure'),
  storedSessions(
    'session-with-an-old-stamp',
    'decisions, 2 security stamp',
    'WHERE id = $1 AND security_stamp = $2 AND is_active',
    'WHERE id = $1 AND $2::uuid IS NOT NULL AND is_active',
    'What ends every session',
  ),
  storedSessions(
    'session-of-an-inactive-account',
    'decisions, 2 deactivation ends sessions',
    'security_stamp = $2 AND is_active',
    'security_stamp = $2',
    'deactivating it',
  ),
  storedSessions(
    'session-that-was-ended',
    'decisions, 2 sessions',
    'AND EXISTS (SELECT FROM portal.sessions WHERE id = $3 AND account_id = $1)',
    'AND $3::uuid IS NOT NULL',
    'every copy of it is invalid',
  ),
  storedSessions(
    'session-list-with-expired-ones',
    'decisions, 2 sessions',
    'WHERE account_id = $1 AND expires_at > $2',
    'WHERE account_id = $1 AND $2::timestamptz IS NOT NULL',
    'The user’s own sessions',
  ),
  storedSessions(
    'session-list-of-everybody',
    'decisions, 2 sessions',
    'FROM portal.sessions WHERE account_id = $1 AND expires_at > $2',
    'FROM portal.sessions WHERE $1::uuid IS NOT NULL AND expires_at > $2',
    'The user’s own sessions',
  ),
  storedSessions(
    'session-of-others-can-be-ended',
    'decisions, 2 sessions',
    'DELETE FROM portal.sessions WHERE id = $1 AND account_id = $2',
    'DELETE FROM portal.sessions WHERE id = $1 AND $2::uuid IS NOT NULL',
    'those of another account are 404',
  ),
  signIn(
    'password-change-keeps-the-stamp',
    'decisions, 2 a changed password ends the other sessions',
    'const securityStamp = randomUUID();',
    'const securityStamp = expectedStamp;',
    'every other session and the old cookie',
  ),
  ownPassword(
    'password-change-keeps-sessions',
    'decisions, 2 a changed password ends the other sessions',
    'await deleteSessionsOf(tx, accountId, sessionId);',
    '',
    'a new password leaves only the current session',
  ),

  policy(
    'password-of-seven',
    'specification, Authentication 5 at least 8 characters',
    '[...password].length >= 8',
    '[...password].length >= 7',
  ),
  policy(
    'password-without-upper-case',
    'specification, Authentication 5 upper-case',
    '/\\p{Lu}/u.test(password)',
    '/./u.test(password)',
  ),
  policy(
    'password-without-lower-case',
    'specification, Authentication 5 lower-case',
    '/\\p{Ll}/u.test(password)',
    '/./u.test(password)',
  ),
  policy(
    'password-without-digit',
    'specification, Authentication 5 digit',
    '/\\p{Nd}/u.test(password)',
    '/./u.test(password)',
  ),
  hashes(
    'password-hash-too-cheap',
    'decisions, 2 argon2id, OWASP or stronger',
    'memoryKib: 19_456',
    'memoryKib: 8_192',
  ),
  inFile('server/accounts/passwords.ts', 'server/accounts/passwords.test.ts')(
    'password-lists-one-rule',
    'specification, Change-password lists each violated rule',
    "violatedRules.slice(0, -1).join(', ')",
    'violatedRules[0]',
  ),
  signIn(
    'password-change-unchecked',
    'specification, Change-password verifies the current password first',
    'if (secrets === null || !isCorrect) return null;',
    'if (secrets === null) return null;',
    'a wrong current password',
  ),
  signIn(
    'password-change-weak',
    'specification, Change-password meets the policy',
    'refuseWeakPassword(change.newPassword, parts.passwords);',
    '',
    'change-password',
  ),
  inFile('messages/en/errors.ts', 'test/integration/accounts.test.ts')(
    'password-wrong-message',
    'specification, Incorrect password.',
    "'Incorrect password'",
    "'Wrong password'",
    'a wrong current password',
  ),
  signIn(
    'sign-in-with-any-password',
    'specification, Authentication 1',
    'secrets === null || !secrets.isActive || !verdict.isCorrect',
    'secrets === null || !secrets.isActive',
    'get the same answer',
  ),

  crossSite(
    'cross-site-same-site',
    'decisions, 2 cross-site requests',
    "fetchSite !== 'same-origin' && fetchSite !== 'none'",
    "fetchSite === 'cross-site'",
  ),
  crossSite(
    'cross-site-origin',
    'decisions, 2 cross-site requests by Origin',
    'if (origin !== undefined && !isOwn(origin)) {',
    "if (origin === '') {",
  ),
  crossSite(
    'cross-site-by-fetch-site',
    'decisions, 2 cross-site requests by Sec-Fetch-Site',
    'if (isForeignSite) throw',
    'if (isForeignSite && false) throw',
  ),
  crossSite(
    'cross-site-reads',
    'decisions, 2 state-changing requests alone',
    'const isWriting = !readingMethods.has(request.method);',
    'const isWriting = readingMethods.size > 0;',
  ),

  users(
    'last-admin-demoted',
    'decisions, 2 the last active Admin',
    'admins.length === 1 && admins[0] === id',
    'admins.length === 0',
    'The last active Admin',
  ),
  users(
    'last-admin-of-two',
    'decisions, 2 the last active Admin',
    'admins.length === 1 && admins[0] === id',
    'admins[0] === id',
    'The last active Admin',
  ),
  users(
    'last-admin-any-of-two',
    'decisions, 2 the last active Admin',
    'admins.length === 1 && admins[0] === id',
    'admins.length <= 2 && admins.includes(id)',
    'The last active Admin',
  ),
  users(
    'last-admin-deactivated',
    'decisions, 2 the last active Admin',
    "values.roles.includes('Admin') && values.isActive",
    "values.roles.includes('Admin')",
    'The last active Admin',
  ),
  users(
    'removes-oneself',
    'decisions, 2 nobody removes themself',
    'if (id === by.actor.accountId) {',
    'if (id === "") {',
    'The last active Admin',
  ),
  users(
    'deactivates-oneself',
    'decisions, 2 nobody removes themself',
    'if (isOwn && !values.isActive) {',
    'if (isOwn && id === "") {',
    'The last active Admin',
  ),
  users(
    'role-change-keeps-sessions',
    'decisions, 2 changed roles end sessions',
    'hasOtherRoles || before.isActive !== values.isActive ? randomUUID() : null',
    'before.isActive !== values.isActive ? randomUUID() : null',
  ),
  inFile('server/accounts/users.ts', 'test/integration/sessions.test.ts')(
    'reset-keeps-sessions',
    'decisions, 2 a changed password ends sessions',
    'await deleteSessionsOf(tx, reset.id, null);',
    'void securityStamp;',
  ),
  users(
    'restricted-admin-in-client-mode',
    'decisions, 2 Client mode uses only Admin',
    'refuseRolesOutsideMode(values.roles, runMode);\n  refuseWeakPassword',
    'refuseWeakPassword',
    'RestrictedAdmin is refused',
  ),
  inFile('server/accounts/users.ts', 'server/accounts/accounts.test.ts')(
    'roles-of-client-mode',
    'decisions, 2 Client mode uses only Admin',
    "role !== 'Admin'",
    "role !== 'RestrictedAdmin'",
  ),

  keys(
    'ingest-by-any-key',
    'decisions, 2 API keys',
    'if (apiKey === null) throw',
    'if (key === undefined) throw',
    'nobody else',
  ),
  apiKeys('api-key-last-use-not-shown', 'decisions, 2 last-used time', 'void recordUse(known)', 'void known'),

  trail('audit-from-exclusive', 'decisions, 1 half-open', 'occurred_at >= $5', 'occurred_at > $5'),
  trail('audit-to-inclusive', 'decisions, 1 half-open', 'occurred_at < $6', 'occurred_at <= $6'),
  trail(
    'audit-without-to',
    'decisions, 1 half-open',
    '($6::timestamptz IS NULL OR occurred_at < $6)',
    '($6::timestamptz IS NULL OR occurred_at IS NOT NULL)',
  ),
  trailPage(
    'audit-full-last-page',
    'decisions, 1 lists',
    'events.length <= limit ? null',
    'events.length < limit ? null',
  ),
  trail(
    'audit-page-again',
    'decisions, 1 lists',
    '(occurred_at, id) < ($8, $9::uuid)',
    '(occurred_at, id) <= ($8, $9::uuid)',
  ),
];
