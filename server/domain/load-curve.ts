/** What a load curve is drawn from: the average power of one device in one bucket, kW. */
export interface DevicePoint {
  deviceNumber: number;
  bucket: number;
  averagePowerKw: number;
}

export interface CurveSeries {
  id: string;
  name: string;
  averagePowerKw: (number | null)[];
}

/** Which line of the chart a device belongs to. */
export interface CurveMember {
  number: number;
  seriesId: string;
  seriesName: string;
}

/**
 * One series for each distinct `seriesId`, in the order of the members, with a value for each of `bucketCount` buckets: the
 * sum of its devices' averages, null where none of them measured.
 */
export function loadCurveSeries(
  members: readonly CurveMember[],
  points: readonly DevicePoint[],
  bucketCount: number,
): CurveSeries[] {
  const series = new Map<string, CurveSeries>();
  const ofDevice = new Map<number, CurveSeries>();
  for (const member of members) {
    const own = series.get(member.seriesId) ?? {
      id: member.seriesId,
      name: member.seriesName,
      averagePowerKw: Array.from<number | null>({ length: bucketCount }).fill(null),
    };
    series.set(member.seriesId, own);
    ofDevice.set(member.number, own);
  }
  for (const point of points) {
    const own = ofDevice.get(point.deviceNumber);
    if (own === undefined || point.bucket < 0 || point.bucket >= bucketCount) continue;
    own.averagePowerKw[point.bucket] = (own.averagePowerKw[point.bucket] ?? 0) + point.averagePowerKw;
  }
  return [...series.values()];
}
