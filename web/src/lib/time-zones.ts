/** Former names that browsers still use for renamed places; both names mean the same zone. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);
const oldNames: ReadonlyMap<string, string> = new Map([...renamed].map(([old, current]) => [current, old]));

let names: readonly string[] | undefined;

/** The IANA zones that this browser knows, by the current names of their places, sorted. */
export function timeZoneNames(): readonly string[] {
  names ??= [
    ...new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map((name) => renamed.get(name) ?? name)]),
  ].toSorted();
  return names;
}

/** "UTC+01:00": how far the zone is ahead of UTC at the instant. */
export function utcOffset(timeZone: string, atMs: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') ?? '';
  return `UTC${offset === '' ? '+00:00' : offset}`;
}

export interface TimeZoneOption {
  name: string;
  /** "UTC+01:00". */
  offset: string;
  /** The text that a search matches: the name, its former name and the offset, in lower case without underscores. */
  searchText: string;
}

/**
 * Every zone with its offset at the instant; `present` is included even if this browser does not list it. An offset is computed
 * when it is first read: those of all zones take a slow phone a quarter of a second.
 */
export function timeZoneOptions(atMs: number, present = ''): TimeZoneOption[] {
  const known = timeZoneNames();
  const all = present === '' || known.includes(present) ? known : [present, ...known];
  return all.map((name) => {
    let offset: string | undefined;
    return {
      name,
      get offset() {
        return (offset ??= utcOffset(name, atMs));
      },
      get searchText() {
        return plain(`${name} ${oldNames.get(name) ?? ''} ${this.offset}`);
      },
    };
  });
}

/** Whether every word of the query matches the zone: "berlin", "new york", "+01". */
export function isFound({ searchText }: Pick<TimeZoneOption, 'searchText'>, query: string): boolean {
  return plain(query)
    .split(' ')
    .every((word) => searchText.includes(word));
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[_/\s]+/g, ' ')
    .replaceAll('−', '-')
    .trim();
