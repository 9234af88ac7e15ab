/**
 * What the portal says to a person, once, each with its code: `{name}` stands for a parameter. An answer says the sentence in
 * English and the code with its parameters beside it; the page says it in the language of its reader. Of two that fit the
 * first counts, so the more general ones come later.
 */
export const sentences = {
  // Words.
  account: 'account',
  apiKey: 'API key',
  customer: 'customer',
  device: 'device',
  file: 'file',
  municipality: 'municipality',
  session: 'session',
  site: 'site',
  tariff: 'tariff',
  user: 'user',
  nothingGiven: 'nothing',
  somethingElse: 'something else',
  missingValue: 'missing',
  aText: 'a text',
  aNumber: 'a number',
  aWholeNumber: 'a whole number',
  trueOrFalse: 'true or false',
  aList: 'a list',
  aListOf: 'a list of {count} entries',
  anObject: 'an object',
  aTextOf: 'a text of {count} characters',
  theText: 'the text {text}',
  notFinite: 'not a finite number',
  finiteNumberOrNull: 'a finite number of {unit} or null',
  factorOrNull: 'a number from -1 to 1 or null',
  positiveOrNull: 'a number of {unit}, 0 or more, or null',
  anExternalId: 'the external id of a device',
  isoInstant: 'an ISO 8601 instant with an offset or Z, such as 2026-03-10T10:00:00Z',
  instantsFrom: 'instants from {first} on',
  fewSeconds: 'a few seconds',
  aMinute: 'a minute',
  someMinutes: '{count} minutes',
  finiteNumber: 'a finite number of {unit}',
  knownEncodings: 'gzip, zstd or identity',
  rowRefused: 'Row {row}, {column}: {problem}. Nothing was created',
  otherRange: 'The other range: {problem}',
  // What a field takes.
  fieldMissing: '{field} is missing; it takes {accepted}',
  fieldTakes: 'takes {accepted}; got {came}',
  mustNotBeEmpty: 'must not be empty',
  atMostCharacters: 'must have at most {max} characters',
  notNegative: 'must not be negative',
  mustBeAtMost: 'must be at most {max}',
  mustBeAtLeast: 'must be at least {min}',
  mustBeMoreThan: 'must be more than {min}',
  mustBeLessThan: 'must be less than {max}',
  mustBeMultiple: 'must be a multiple of {step}',
  mustBeOneOf: 'must be one of {choices}',
  atLeastCharacters: 'must have at least {min} characters',
  exactCharacters: 'must have exactly {count} characters',
  atLeastEntries: 'must have at least {min} entries',
  atMostEntries: 'must have at most {max} entries',
  exactEntries: 'must have exactly {count} entries',
  wrongForm: 'does not have the right form',
  noSuchField: 'there is no field {names} here',
  isNotValid: 'is not valid',
  partNotValid: 'The {part} is not valid: {problem}',
  mustBeEmail: 'must be an email address',
  mustBeColor: 'must be a hex color such as {example}',
  mustBeDate: 'must be a date that exists',
  mustBeCurrency: 'must be an ISO 4217 currency such as {example}',
  mustBeLine: 'must not contain control characters, line breaks or characters that turn the direction of text',
  mustBeVisible: 'must not contain characters that cannot be seen, such as a zero-width space',
  shortenedNumber: 'is a number that a spreadsheet has shortened; format the column as text and enter every digit',
  mustBeWebAddress: 'must be an http or https address or a path under /uploads/',
  pathUnder:
    'a path under {prefix} such as {example}, without "..", "//", a backslash, an encoded slash or dot, or a fragment',
  // Sign-in and accounts.
  signInFirst: 'Sign in first',
  wrongSignIn: 'The email or the password is wrong',
  wrongPassword: 'Incorrect password',
  tooManyAttempts: 'There were too many failed attempts {where}; try again in {time}',
  tooManyOwnChanges:
    'You may change your name, password, second factor and sessions {max} times an hour; try again in {time}',
  manySignInsOfAddress: 'Too many sign-ins come from one address at the moment; try again shortly',
  manySignIns: 'Too many people are signing in at the moment; try again shortly',
  wrongCode: 'The code is wrong, or was used before',
  signInTooSlow: 'this took too long, or the account has changed; begin again with the password',
  notCodeOfApp: 'this is not the code of the new app; is the clock of its device right?',
  noSecondFactor: 'Your account has no second factor; add an authenticator app or a passkey first',
  needsSecondFactor: 'Your account must have a second factor; you can only replace it',
  ownSecondFactorFirst: 'Turn your own second factor on first, under Settings → Password',
  notOwnSecondFactor: 'This is your own account; replace your second factor under Settings → Password',
  notOwnReset:
    'This is your own account; change your password under Settings → Password (POST /api/auth/me/change-password)',
  noTokenOfStep: 'this is not the token of the previous step; begin again',
  lostAppKey:
    'The portal has lost the key of its authenticator apps (Storage__KeysPath); use a recovery code, or ask an administrator to reset your second factor',
  wantsSecondFactor: 'your account has a second factor; send one of its codes, or a passkey',
  noPasskeysHere: 'Passkeys take an address with https and a name; this portal is at {address}',
  unknownPasskey: 'The passkey is not known here, or its answer came too late',
  manyPasskeys: 'Your account has {max} passkeys already; remove one of them first',
  notAPasskey: 'this is not a passkey of this portal that asks for a fingerprint, a face or a PIN',
  passkeyTaken: 'This passkey is registered already',
  weakPassword: 'The new password is too weak: it needs {needs}',
  onlyAdministrator: 'Only an administrator may do this',
  onlyFleetAdministrator: 'Only an administrator of the fleet may do this',
  crossSiteAt:
    'This request came from another website and was refused. The portal is at {address}; if this is its page under another name, open it there or change Application__PublicUrl',
  crossSite: 'This request came from another website and was refused',
  restrictedInClient:
    'RestrictedAdmin exists only on the fleet portal (run mode Admin); here an account has the role Admin or none',
  emailTaken: 'there is already an account with {email}; choose another email',
  notOwnAccountOff: 'you cannot deactivate your own account; ask another administrator',
  notOwnAccountDeleted: 'You cannot delete your own account; ask another administrator',
  typeOwnPassword: 'type your password to change your own email or roles',
  lastAdministrator: 'This is the last active administrator; give another active user the role Admin first',
  // Conflicts.
  noSuch: 'There is no such {what}',
  stale: 'Somebody else changed this after you read it; read it again and decide which version to keep',
  nameTaken: 'there is already {what} named "{name}"; choose another name',
  stillUsed: 'The {what} has {users}; move or delete them first',
  externalIdTaken: '"{externalId}" belongs to {owner}; each device needs its own',
  treeChanged: 'the tree of the site was changed meanwhile; look again',
  partOfItself: 'a device cannot measure a part of itself; choose another one, or null',
  partOfCircle: '"{name}" measures a part of this device; choose one that does not, or null',
  tooManyLevels: 'there would be {levels} levels of meters; at most {max} are possible',
  noDeviceInSite: 'there is no device {id} in the site of this one; choose one of its devices, or null',
  movedFromParent:
    'the device "{name}" measures a part of "{parent}" of its site; move that too, or send null, or a device of the other site',
  movedFromSubMeters:
    'The device "{name}" has sub-meters, {names}; move them too, or let them measure a part of another one, or of none',
  deletedFromSubMeters:
    'The device has sub-meters, {names}; let them measure a part of another one, or of none, to delete it',
  energyOfOldMonths:
    'The device has energy of months whose measurements are no longer kept, which would be lost; switch it off instead, or delete it with {option}',
  measuredAlready:
    'The device has {count} {measurements}, which would be lost; switch it off instead, or delete it with {option}',
  pushOff: 'The push is switched off; set {names}, and start the portal again',
  customerCodeTaken: 'there is already a customer "{code}"; choose another code',
  manyEmbeddedDashboards: 'There are {max} embedded dashboards already; delete one of them first',
  manyRemarks: 'There are {max} remarks already; delete one of an older report first',
  // Tariffs.
  tariffStartTaken:
    'another active tariff of the municipality starts on {date} already; choose another day, or switch one of them off',
  tariffEndsBeforeStart:
    'must be after effectiveFrom {from}, because it is the day on which the tariff no longer holds; got {to}',
  periodWithoutLength: 'must differ from startTime, a whole day is 00:00 to 24:00; got {time} for both',
  periodsOverlap:
    '"{first}" ({firstTimes}) and "{second}" ({secondTimes}) overlap on {weekday}; change the times or the days of one of them',
  noMunicipality: 'there is no municipality {id}; choose one of GET /api/rates',
  noMunicipalityYet: 'there is no municipality {id}; push the municipalities first',
  noSite: 'there is no site {id}; choose one of GET /api/sites',
  noCustomer: 'there is no customer {id}; choose from GET /api/admin/customers',
  zoneUnknown: 'the database does not know {timeZone}; choose a zone such as {example}',
  // Limits.
  manyQueries: 'There are too many queries at the moment; try again in a few seconds',
  manyNewReadings: 'Many new readings are being processed; try again in a few seconds',
  manyNewReadingsOfThese: 'Many new readings of these devices are still being processed; try again in a few seconds',
  energyFails:
    'The energy of {names} cannot be computed at the moment, and totals would lack it; choose the other devices, or try again later',
  manyExports: 'Too many exports are running; try again when one of them has ended',
  manyPreviews: 'Too many previews are running; try again in a few seconds',
  manySimulations: 'Too many simulations are running; try again in a few seconds',
  manyLogos: 'Too many logos are being uploaded; try again shortly',
  databaseAway: 'The database cannot be reached at the moment; try again shortly',
  databaseBusy: 'The database is busy with another change; try again shortly',
  queryTooLong: 'The query took too long; choose a shorter range or fewer devices',
  changeTooLong: 'The change took too long and was not made; try again shortly',
  bodyTooLarge: 'The body is larger than this endpoint accepts; send less at a time',
  rowsHeld: 'The portal cannot hold more rows until others are stored; send these again shortly',
  profileRowsOfDevices:
    'a load profile may have at most {max} rows; got {count}; choose a shorter range, fewer devices or groupBy=site',
  profileRowsOfSites: 'a load profile may have at most {max} rows; got {count}; choose a shorter range or fewer sites',
  tooManyBuckets: 'The range has {what}, more than {max}; {advice}',
  portalFault: 'Something went wrong in the portal; its log has the details under request {request}',
  // Logo.
  logoTooLarge: 'The logo is larger than 1 MiB; choose a smaller file',
  notAnImage: 'The file is not a complete PNG, JPEG or WebP image; choose another file',
  logoPixels: 'The image has {width} × {height} pixels; a logo has at most {maxWidth} × {maxHeight}',
  logoUnpacked: 'The image unpacks to more than 8 MiB; choose a smaller one',
  logoPathElsewhere: 'a path must lie under {path}; got {came}. Upload the logo, or give its whole address',
  // Rows of an ingest.
  rowTakes: '{field} is {came}; it takes {accepted}',
  rowTooFarAhead: 'time is {came}; it may be at most {hours} h ahead of now, {now}',
  rowTooLarge: '{field} is {came}, which is too large to be kept',
  rowOfNoDevice: 'externalId belongs to no device; create the device under Sites first',
  rowNotKept: 'time {time} is before {from}; older measurements are no longer kept',
  // A whole ingest.
  noListOfRows: 'The body must be a JSON list of rows; nothing was stored',
  emptyListOfRows: 'The body is an empty list; at least one row is required',
  entryNoObject: 'The body must be a list of rows; entry {index} is not an object, and nothing was stored',
  rowsNotJson: 'The body is not valid JSON ({reason}); nothing was stored',
  bodyNotDecoded: 'The body is not valid {encoding}',
  manyRowsAtOnce: 'The body has {count} rows; at most {max} are accepted, and nothing was stored',
  rowsTooLarge: 'The {what} is larger than {max} bytes; send fewer rows at a time, nothing was stored',
  entryTooLarge:
    'Entry {index} of the body is larger than {max} bytes; a row takes some hundred, and nothing was stored',
  // Cells of a table of sites and devices.
  cellSiteElsewhere: 'the site "{site}" is in {municipality}; leave it empty or change the site',
  cellOtherRowHas: 'row {row} has {municipality} for this site',
  cellNeedsMunicipality: 'a new site needs one; it is the name of a municipality under Rates',
  cellNoMunicipality: 'there is no municipality "{name}"; create it first',
  cellSiteIsThere: 'must not be empty: the site is there already',
  cellRowHasExternalId: 'must not be empty: the row has an external ID',
  cellRowHasName: 'must not be empty: the row has a name',
  cellExternalIdTaken: 'belongs to {owner}; each device needs its own',
  cellNoParent:
    'no device has the external ID "{externalId}", neither here nor in the table; it takes that of a device, not its name',
  cellParentElsewhere: '"{externalId}" is in another site; choose a device of the same site',
  ownerDevice: 'the device "{name}" of "{site}"',
  tableMeanwhile: 'Somebody has changed sites or devices meanwhile; nothing was created. Check the table again',
  // The dashboard tool.
  toolNotThere: 'The dashboard tool is not there yet ({reason}); try again shortly',
  toolSilent: 'The dashboard tool does not answer; try again shortly',
  // Any other owner, limit or rule of a field.
  ownerRow: 'row {row}',
  batchRejected: '{count} rejected, the first at {index}: {reason}',
  rangeTooLong: '{limit} at most {max} days; got {count}',
  fieldProblem: '{problem}; got {came}',
} as const;

export type SentenceCode = keyof typeof sentences;
export type Sentences = Readonly<Record<SentenceCode, string>>;

export interface Said {
  code: SentenceCode;
  params: Record<string, string>;
}

const codes = Object.keys(sentences).filter(isCode);

function isCode(code: string): code is SentenceCode {
  return code in sentences;
}

/** Parameters that are said by the portal, too; others came from people and stay as they are. */
const saidParams = new Set(['accepted', 'came', 'owner', 'problem', 'reason', 'time', 'what']);

interface Template {
  code: SentenceCode;
  /** What stands before, between and after the parameters, in lower case. */
  literals: readonly string[];
  names: readonly string[];
}

const templates = codes.map((code): Template => {
  const parts = sentences[code].split(/\{(\w+)\}/);
  return {
    code,
    literals: parts.filter((_, at) => at % 2 === 0).map((literal) => literal.toLowerCase()),
    names: parts.filter((_, at) => at % 2 === 1),
  };
});

/** Where the parameters of a template are in a text, each as short as it can be; null where it does not fit. */
function fit({ literals: [first = '', ...literals], names }: Template, text: string): [number, number][] | null {
  const last = literals.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  if (names.length === 0) return text === first ? [] : null;
  // A position that led nowhere is not tried again, so no text takes long, whatever somebody typed.
  const dead = new Set<string>();
  const search = (at: number, from: number): [number, number][] | null => {
    const isSaid = saidParams.has(names[at] ?? '');
    const end = isSaid ? -1 : text.indexOf(';', from);
    const maxEnd = end < 0 ? text.length : end;
    const literal = literals[at] ?? '';
    if (at === names.length - 1) {
      const to = text.length - literal.length;
      return to > from && to <= maxEnd ? [[from, to]] : null;
    }
    for (let to = text.indexOf(literal, from + 1); to >= 0 && to <= maxEnd; to = text.indexOf(literal, to + 1)) {
      const key = `${at} ${to}`;
      if (dead.has(key)) continue;
      const rest = search(at + 1, to + literal.length);
      if (rest !== null) return [[from, to], ...rest];
      dead.add(key);
    }
    return null;
  };
  return search(0, first.length);
}

/** The code and the parameters of a sentence of the portal; null for one without a code. */
export function identifySentence(sentence: string): Said | null {
  // Nothing of ours is longer.
  if (sentence.length > 1000) return null;
  const [, field, rest] = /^([\w.]+): (.+)$/s.exec(sentence) ?? [];
  const ofField = field === undefined || rest === undefined ? null : identifyWhole(rest);
  return ofField === null ? identifyWhole(sentence) : { ...ofField, params: { field: field ?? '', ...ofField.params } };
}

function identifyWhole(sentence: string): Said | null {
  const text = sentence.endsWith('.') ? sentence.slice(0, -1) : sentence;
  const lower = text.toLowerCase();
  // Some letters are longer in lower case, and places would move.
  const folded = lower.length === text.length ? lower : text;
  for (const template of templates) {
    const places = fit(template, folded);
    if (places === null) continue;
    const values = places.map(([from, to]) => text.slice(from, to));
    const params = Object.fromEntries(template.names.map((name, at) => [name, values[at] ?? '']));
    return { code: template.code, params };
  }
  return null;
}

/** A sentence of the portal in another language, as it stood in English where it has no code. */
export function translateSentence(sentence: string, translated: Sentences): string {
  const said = identifySentence(sentence);
  if (said === null) return sentence;
  const { code, params } = said;
  const text = translated[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    return saidParams.has(name) ? translateSentence(value, translated) : value;
  });
  const isOfField = params['field'] !== undefined && !sentences[code].includes('{field}');
  const whole = isOfField ? `${params['field']}: ${text}` : text;
  const begun = /^\p{Lu}/u.test(sentence) ? whole.slice(0, 1).toUpperCase() + whole.slice(1) : whole;
  return sentence.endsWith('.') ? `${begun}.` : begun;
}
