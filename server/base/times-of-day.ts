/** Minutes since midnight of a time of day such as `07:30`; `24:00` is 1440. */
export const minuteOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** `07:30` for 450, `24:00` for 1440. */
export function timeOfDay(minute: number): string {
  const hours = Math.floor(minute / 60);
  return `${String(hours).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
