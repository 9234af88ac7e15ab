import { defineSettings } from '../../server/settings/definitions.ts';
import { createReader } from '../../server/settings/reader.ts';

/** The settings of the dashboard tool, with the names, kinds and defaults of the portal's. */
export type ToolSettings = Extract<ReturnType<typeof readToolSettings>, { settings: unknown }>['settings'];

/** Reads and checks the settings of the tool; settings only for the portal may be present, too. */
export function readToolSettings(environment: Readonly<Record<string, string | undefined>>, workingFolder: string) {
  const known = defineSettings(workingFolder);
  const reader = createReader(Object.values(known), { environment, file: {}, workingFolder });
  const { read, readOr } = reader;
  const listen = read(known.dashboardListenAddress);
  const connectionString = read(known.connectionString);
  const gateSecret = read(known.gateSecret);
  const needed = [
    { setting: known.connectionString.name, value: connectionString },
    { setting: known.gateSecret.name, value: gateSecret },
  ];
  const isProduction = environment['NODE_ENV'] === 'production';
  const settings = {
    isDevelopment: readOr(known.environment, isProduction ? 'Production' : 'Development') === 'Development',
    runMode: read(known.runMode),
    timeZone: read(known.timeZone),
    publicUrl: readOr(known.publicUrl, `http://${known.dashboardListenAddress.kind.show(listen)}`),
    listen,
    connectionString: connectionString ?? '',
    prefix: read(known.embedPathPrefix),
    gateSecret: gateSecret ?? '',
    whiteLabel: {
      applicationName: read(known.applicationName),
      logoUrl: read(known.logoUrl),
      primaryColor: read(known.primaryColor),
      secondaryColor: read(known.secondaryColor),
      accentColor: read(known.accentColor),
      footerText: read(known.footerText),
    },
  };
  const unusable = new Set(reader.violations.map(({ setting }) => setting.toLowerCase().replace(/_file$/, '')));
  const violations = [
    ...reader.violations.map(({ setting, problem }) => `${setting} ${problem}`),
    ...needed
      .filter(({ setting, value }) => value === undefined && !unusable.has(setting.toLowerCase()))
      .map(({ setting }) => `${setting} is not set; the dashboard tool needs it.`),
  ];
  return violations.length > 0 ? { violations } : { settings };
}
