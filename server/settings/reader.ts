import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { ConfigEntry } from '../../shared/app.ts';
import type { Setting } from './definitions.ts';

type Source = ConfigEntry['source'];
type Values = Readonly<Record<string, string | undefined>>;

/** The problem of a setting; name and problem form one sentence. */
export interface Violation {
  setting: string;
  problem: string;
}

interface Given {
  /** As it was written, for messages. */
  name: string;
  /** The setting that it is for, in lower case. */
  key: string;
  value: string;
  source: Source;
  /** Whether the value is the path of the file that has it. */
  isPath: boolean;
}

type Known = readonly Pick<Setting<unknown>, 'name' | 'takesFile'>[];

export type SettingsReader = ReturnType<typeof createReader>;

/** Reads settings from the environment and the `.env` file, and collects everything that is wrong with them. */
export function createReader(
  settings: Known,
  { environment, file, workingFolder }: { environment: Values; file: Values; workingFolder: string },
) {
  const violations: Violation[] = [];
  const given = new Map<string, Given>();
  collect(settings, given, violations, file, 'file');
  collect(settings, given, violations, environment, 'environment');
  violations.push(...unknownNames(settings, given), ...openFiles(given, workingFolder));
  const entries: ConfigEntry[] = [];
  const order = settings.map(({ name }) => name);

  /** The given value or this default, and the source of that default; an unusable value becomes a violation and reads as the default. */
  const readOr = <T, Fallback extends T | undefined>(
    setting: Setting<T>,
    fallback: Fallback,
    fallbackSource: Source = 'default',
  ): T | Fallback => {
    const found = given.get(setting.name.toLowerCase());
    const parsed = found === undefined ? undefined : parse(setting, found.value);
    if (found !== undefined && parsed === undefined) violations.push(refusal(setting, found));
    const value = parsed ?? fallback;
    entries.push({
      name: setting.name,
      value: value === undefined || setting.isSecret ? null : setting.kind.show(value),
      source: found?.source ?? fallbackSource,
      isSet: value !== undefined,
      isSecret: setting.isSecret,
    });
    return value;
  };

  return {
    violations,
    readOr,
    /** Reads a setting with its own default. */
    read: <T, Fallback extends T | undefined>(setting: Setting<T, Fallback>) => readOr(setting, setting.fallback),
    /** One line per setting that was read, in the order of `settings`. */
    overview: (): ConfigEntry[] => entries.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name)),
  };
}

/** Secrets keep the blanks around them; everything else is trimmed. */
const parse = <T>(setting: Setting<T>, raw: string): T | undefined =>
  setting.kind.parse(setting.isSecret ? raw : raw.trim());

function refusal<T>(setting: Setting<T>, { name, value, source }: Given): Violation {
  const got = setting.isSecret || !setting.kind.mayRepeat(value) ? 'something else' : JSON.stringify(value.trim());
  return { setting: name, problem: `${placeOf(source)}takes ${setting.kind.takes}; got ${got}.` };
}

/** Names in any case; an empty value counts as not set, so it neither hides the file nor a default. */
function collect(
  settings: Known,
  given: Map<string, Given>,
  violations: Violation[],
  values: Values,
  source: Source,
): void {
  const inFiles = new Map(settings.filter(({ takesFile }) => takesFile).map(({ name }) => [fileKeyOf(name), name]));
  const seen = new Map<string, Given>();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value.trim() === '' || !name.includes('__')) continue;
    const setting = inFiles.get(name.toLowerCase());
    const key = (setting ?? name).toLowerCase();
    const entry = { name, key, value, source, isPath: setting !== undefined };
    const twin = seen.get(key);
    if (twin !== undefined && (twin.value !== value || twin.isPath !== entry.isPath)) {
      violations.push({
        setting: name,
        problem: `and ${twin.name} are one setting with two values; keep one of them.`,
      });
    }
    seen.set(key, entry);
  }
  for (const [key, entry] of seen) given.set(key, entry);
}

const fileKeyOf = (name: string) => `${name}_FILE`.toLowerCase();

/** Replaces paths of files by their contents, and drops what cannot be read. */
function openFiles(given: Map<string, Given>, workingFolder: string): Violation[] {
  const violations: Violation[] = [];
  for (const entry of [...given.values()].filter(({ isPath }) => isPath)) {
    const found = readSecretFile(entry.value.trim(), workingFolder);
    if ('value' in found) given.set(entry.key, { ...entry, value: found.value, source: 'secretFile' });
    else {
      given.delete(entry.key);
      violations.push({ setting: entry.name, problem: `${placeOf(entry.source)}${found.problem}` });
    }
  }
  return violations;
}

function unknownNames(settings: Known, given: ReadonlyMap<string, Given>): Violation[] {
  const known = new Set(settings.map(({ name }) => name.toLowerCase()));
  const sections = new Set(settings.map(({ name }) => sectionOf(name)));
  return [...given.values()]
    .filter(({ key }) => sections.has(sectionOf(key)) && !known.has(key))
    .map(({ name, source }) => ({
      setting: name,
      problem: `${placeOf(source)}is not a setting of the portal; did you mean ${nearest(name, settings)}?`,
    }));
}

const placeOf = (source: Source) => (source === 'file' ? '(in .env) ' : '');

const sectionOf = (name: string) => name.toLowerCase().split('__')[0] ?? '';

function nearest(name: string, settings: Known): string {
  const wanted = name.toLowerCase();
  const byDistance = settings
    .filter((setting) => sectionOf(setting.name) === sectionOf(name))
    .map((setting) => ({ name: setting.name, distance: distanceOf(wanted, setting.name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  return byDistance[0]?.name ?? '';
}

/** A truncated name counts as nearer than one with this many different letters. */
const distanceOf = (wanted: string, name: string) => (name.startsWith(wanted) ? 0.5 : editDistance(wanted, name));

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

// Far more than any secret, yet harmless if a wrong file is named.
const maxBytes = 64 * 1024;

export type SecretFile = { value: string } | { problem: string };

/** The secret in a file, without the newline that editors and `echo` append, or the problem with the file. */
export function readSecretFile(path: string, workingFolder: string): SecretFile {
  // The path may be the secret itself, entered by mistake.
  const named = isAbsolute(path) ? ` ${path}` : ' a file';
  try {
    // Opening a pipe would wait for a writer.
    const file = openSync(resolve(workingFolder, path), constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return readOpened(file, named);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return { problem: `names${named}, which does not exist.` };
    return { problem: `names${named}, which the portal cannot read (${code}).` };
  }
}

function readOpened(file: number, named: string): SecretFile {
  if (!fstatSync(file).isFile()) {
    return { problem: `names${named}, which is a folder or a device; it takes a file that holds the secret.` };
  }
  const bytes = Buffer.alloc(maxBytes + 1);
  const length = readSync(file, bytes);
  if (length > maxBytes) return { problem: `names${named}, which holds more than ${maxBytes} bytes.` };
  const value = bytes.toString('utf8', 0, length).replace(/\r?\n$/, '');
  if (value.trim() === '') return { problem: `names${named}, which is empty.` };
  if (/[\0\uFFFD]/.test(value)) return { problem: `names${named}, which is not a text in UTF-8.` };
  return { value };
}
