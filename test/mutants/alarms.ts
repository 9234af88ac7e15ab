import { inFile, type Mutant } from './mutant.ts';

const states = inFile('server/alarms/alarm-states.rules.ts', 'server/alarms/alarm-states.test.ts');
const kinds = inFile('server/alarms/alarm-kinds.rules.ts', 'server/alarms/alarm-states.test.ts');
const scopes = inFile('server/alarms/alarm-kinds.rules.ts', 'test/integration/alarms.test.ts');
const client = inFile('server/notifications/webhook-client.ts', 'test/integration/webhooks.test.ts');
const sending = inFile('server/notifications/messages.ts', 'test/integration/webhooks.test.ts');
const outbox = inFile('server/alarms/alarm-changes.rules.ts', 'test/integration/webhooks.test.ts');
const escalation = inFile('server/alarms/alarm-changes.rules.ts', 'test/integration/mails.test.ts');
const findings = inFile('server/alarms/device-findings.ts', 'test/integration/alarms.test.ts');
const replayed = inFile('server/alarms/device-findings.ts', 'server/alarms/alarm-replay.test.ts');
const quality = inFile('server/alarms/alarm-kinds.rules.ts', 'server/alarms/alarm-kinds.test.ts');
const figures = inFile('server/alarms/energy-figures.ts', 'test/integration/energy-alarms.test.ts');
const making = inFile('server/alarms/notifications.ts', 'test/integration/mails.test.ts');
const people = inFile('server/alarms/people.ts', 'test/integration/mails.test.ts');
const messages = inFile('server/notifications/messages.sql.ts', 'test/integration/mails.test.ts');
const waiting = inFile('server/alarms/outbox.sql.ts', 'test/integration/mails.test.ts');
const mailTest = inFile('server/notifications/mail.routes.ts', 'test/integration/mails.test.ts');
const accountMails = inFile('server/notifications/account-mails.ts', 'test/integration/mails.test.ts');
const browsers = inFile('server/notifications/push-client.ts', 'test/integration/browser-notifications.test.ts');
const pushed = inFile('server/alarms/people.ts', 'test/integration/browser-notifications.test.ts');
const publicly = inFile('server/notifications/webhook-client.ts', 'test/integration/browser-notifications.test.ts');
const oldLinks = inFile('server/accounts/users.ts', 'test/integration/mails.test.ts');
const past = inFile('server/alarms/alarm-previews.ts', 'server/alarms/customer-previews.test.ts');
const reports = inFile('server/subscriptions/send.ts', 'test/integration/reports-by-mail.test.ts');
const mailer = inFile('server/notifications/mail-client.ts', 'server/notifications/mail-client.test.ts');
const previews = inFile('server/alarms/alarm-previews.ts', 'test/integration/alarms.test.ts');
const evaluation = inFile('server/alarms/evaluate.ts', 'test/integration/alarms.test.ts');
const statements = inFile('server/alarms/alarms.sql.ts', 'test/integration/alarms.test.ts');
const kills = (file: string) => inFile(`server/notifications/${file}`, 'test/integration/message-kills.test.ts');
const rules = inFile('server/alarms/alarm-rules.ts', 'test/integration/alarm-rules.test.ts');

/** decisions 10: when alarms fire and end, for whom, and that only the present fires. */
export const alarmMutants: readonly Mutant[] = [
  states(
    'alarm-hold',
    'decisions, 10 durationSeconds',
    'part.toMs >= firingAtMs',
    'part.toMs > firingAtMs',
    'fires once it has lasted',
  ),
  states(
    'alarm-judged-again',
    'decisions, 10 never twice',
    '|| (toMs === sinceMs && (current === null || fromMs < toMs))',
    '',
    'piece by piece',
  ),
  states(
    'alarm-schedule-day',
    'decisions, 10 schedule',
    'last > start ? last : last + 1440',
    'last',
    'to the day on which it starts',
  ),
  kinds(
    'alarm-hysteresis',
    'decisions, 10 hysteresis',
    'value <= above - hysteresis',
    'value <= above',
    'back by the hysteresis',
  ),
  kinds('alarm-limit-itself', 'decisions, 10 above', 'value > above', 'value >= above', 'at the limit itself'),
  kinds(
    'alarm-silence-begins',
    'decisions, 10 afterSeconds',
    'untilMs > silentMs',
    'untilMs >= silentMs',
    'judged by the last reading',
  ),
  findings(
    'alarm-import-fires',
    'decisions, 10 imports never notify',
    'receivedMs - lastMs <= liveMs',
    'receivedMs >= lastMs',
    'a year of history',
  ),
  findings(
    'alarm-late-rows-fire',
    'decisions, 10 late rows never notify',
    'own.findIndex(({ atMs }) => atMs >= fromMs)',
    '0',
    'a year of history',
  ),
  findings(
    'alarm-future-judged',
    'decisions, 10 judged at the present',
    'lastMs <= round.nowMs',
    'lastMs <= Infinity',
    'readings from the future',
  ),
  scopes(
    'alarm-other-device',
    'decisions, 10 scope',
    "isIn(uses, endUse?.toLowerCase() ?? '')",
    'true',
    'in each of its lists',
  ),
  evaluation(
    'alarm-silent-factor',
    'decisions, 10 factor',
    'judgeCustomer(customer, nowMs, rule.condition.factor)',
    'judgeCustomer(customer, nowMs)',
    'usual intervals',
  ),
  evaluation(
    'alarm-unused-token',
    'decisions, 10 token still in use',
    '|| !isUsed)',
    ')',
    'the end of a previous token',
  ),
  statements(
    'alarm-of-others',
    'decisions, 10 RestrictedAdmin',
    "${isSeen('$5')}",
    '($5::uuid[] IS NULL OR true)',
    'alone',
  ),
  statements(
    'alarm-pending-of-others',
    'decisions, 10 RestrictedAdmin',
    "${isSeen('$1')}",
    '($1::uuid[] IS NULL OR true)',
    'alone',
  ),
  statements(
    'alarm-acted-by-others',
    'decisions, 10 whoever may see it',
    "${isSeen('$2')}",
    '($2::uuid[] IS NULL OR true)',
    'alone',
  ),
  rules(
    'alarm-unknown-name',
    'decisions, 10 scope',
    'if (unknown !== undefined)',
    'if (unknown === null)',
    'names something unknown',
  ),
  previews(
    'alarm-preview-outside',
    'decisions, 10 preview from and to',
    'firingAtMs < fromMs ||',
    '',
    'a preview says what happened live',
  ),
  client(
    'webhook-private-name',
    'decisions, 10 AllowPrivateTargets',
    '!addresses.every(({ address }) => isPublicAddress(address))',
    'false',
    'is refused unless',
  ),
  client(
    'webhook-private-literal',
    'decisions, 10 AllowPrivateTargets',
    'isIP(host) !== 0 && allowPrivate !== true',
    'isIP(host) > 9 && allowPrivate !== true',
    'is refused unless',
  ),
  client(
    'webhook-redirect-taken',
    'decisions, 10 2xx is taken',
    'status < 300 ? null',
    'status < 400 ? null',
    'a redirect is not followed',
  ),
  sending(
    'webhook-no-lease',
    'decisions, 10 never told twice',
    'new Date(now() + leaseMs)',
    'new Date(now())',
    'died in between',
  ),
  sending(
    'webhook-never-given-up',
    'decisions, 10 repeated for a day',
    'now() - createdMs >= givenUpAfterMs',
    'createdMs < 0',
    'given up after a day',
  ),
  outbox(
    'webhook-snoozed',
    'decisions, 10 snooze',
    '(alarm?.snoozedUntilMs ?? 0) > nowMs',
    'false',
    'a snoozed alarm tells nobody',
  ),
  escalation(
    'alarm-escalated-too-early',
    'decisions, 10 escalation when nobody acknowledges',
    'atMs > nowMs ||',
    '',
    'others are told once',
  ),
  escalation(
    'alarm-escalated-though-acknowledged',
    'decisions, 10 escalation when nobody acknowledges',
    '|| isAcknowledged ||',
    '||',
    'nobody else is told',
  ),
  making(
    'mail-piles-up',
    'decisions, 10 without settings the page says what to set',
    'if (!sendsMail)',
    'if (false)',
    'nothing piles up',
  ),
  replayed(
    'alarm-pending-over-gap',
    'decisions, 10 the same engine as live',
    'if (some?.isAfterGap === true)',
    'if (false)',
    'the preview equals the live evaluation',
  ),
  quality(
    'alarm-quality-of-later',
    'decisions, 10 judged at the present only',
    '(untilMicros ?? 0) > toMicros);',
    '(untilMicros ?? 0) < 0);',
    'a gap is missing while it goes on',
  ),
  figures(
    'alarm-figure-of-now',
    'decisions, 10 the same engine as live',
    'cutAt(asked, atMs * 1000)',
    'asked',
    'the past of report figures',
  ),
  people(
    'mail-of-others',
    'decisions, 10 whoever may see it',
    'return isSeen && (',
    'return (',
    'a RestrictedAdmin is told of their customers only',
  ),
  people(
    'mail-all-severities',
    'decisions, 10 minimumSeverity',
    "if (!isAtLeast(severity, choices?.minimumSeverity ?? 'info')) return false;",
    '',
    'choices: channel, severity, kinds and sites',
  ),
  waiting('mail-to-everybody', 'decisions, 10 recipients', "AND 'Admin' = ANY (a.roles)", '', 'also later ones'),
  mailTest(
    'mail-test-flood',
    'decisions, 10 mail bombs',
    'if (retryAfterSeconds !== null)',
    'if (false)',
    'a test mail',
  ),
  messages('failed-that-was-sent', 'decisions, 10 outbox', ', error = NULL', '', 'until they are sent'),
  messages('mail-storm', 'decisions, 10 outbox', 'OR count(*) >= $3', 'OR count(*) >= 99 + $3', 'at most three'),
  kills('messages.ts')(
    'sent-before-it-is',
    'decisions, 10 outbox',
    'await attemptOf(channel, message, signal)',
    '(await setMessageSent(database, id, new Date(now())), await attemptOf(channel, message, signal))',
  ),
  kills('mail-client.ts')(
    'repeat-with-another-id',
    'decisions, 10 outbox',
    '`<${id}@${domain}>`',
    '`<${crypto.randomUUID()}@${domain}>`',
  ),
  accountMails(
    'link-for-ever',
    'decisions, 10 reset-password',
    'now() - step.startedAt > validMs',
    'step.startedAt > now() + validMs',
    'over after an hour',
  ),
  mailer(
    'mail-unverified',
    'decisions, 10 Mail__Security',
    'rejectUnauthorized: true',
    'rejectUnauthorized: false',
    'unknown authority is refused',
  ),
  mailer(
    'mail-in-clear',
    'decisions, 10 Mail__Security',
    "requireTLS: security === 'starttls'",
    'requireTLS: false',
    'a server that does not offer it gets nothing',
  ),
  mailer('mail-list', 'decisions, 10 Mail__From', 'if (!isPlainAddress(to))', "if (to === '')", 'gets nothing'),
  browsers(
    'browser-never-gone',
    'decisions, 10 channels',
    'if (!goneStatuses.includes(status))',
    'if (error !== null)',
    'removes the browser',
  ),
  people(
    'mail-inactive-address',
    'decisions, 10 whoever may see it',
    '(await findAccountId(database, target)) !== null',
    "target === ''",
    'an address whose account',
  ),
  publicly(
    'browser-private',
    'decisions, 10 AllowPrivateTargets',
    'allowPrivate: null',
    'allowPrivate: true',
    'a private address gets nothing',
  ),
  oldLinks(
    'link-of-old-email',
    'decisions, 10 reset-password',
    'if (secrets.email !== sentTo) return false;',
    '',
    'a link ends when its account gets another email',
  ),
  past(
    'preview-misses-patience',
    'decisions, 10 the same engine as live',
    'ms > atMs && ms < untilMs',
    'ms < atMs',
    'equals the live evaluation',
  ),
  reports(
    'report-foreign-language',
    'decisions, 10 language',
    'await languageOf(mail, accountId, languageAs(to))',
    'languageAs(to) ?? mail.language',
    'in its own language',
  ),
  pushed(
    'browser-unwanted',
    'decisions, 10 channels',
    "browser === null ? 'mail' : 'push'",
    "'mail'",
    'who do not want push',
  ),
];
