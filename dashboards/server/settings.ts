import { defineSettings } from '../../server/settings/definitions.ts';
import { createReader } from '../../server/settings/reader.ts';

/** The settings of the dashboard tool. They have the same names, kinds and defaults as those of the portal. */
export type ToolSettings = Extract<ReturnType<typeof readToolSettings>, { settings: unknown }>['settings'];

/** Reads and checks the settings of the tool. Settings that only the portal uses may be present, too. */
export function readToolSettings(environment: Readonly<Record<string, string | undefined>>, workingFolder: string) {
  const known = defineSettings(workingFolder);
  const reader = createReader(Object.values(known), { environment, file: {}, workingFolder });
  const { read, readOr } = reader;
  const listen = read(known.Dashboard__ListenAddress);
  const connectionString = read(known.Database__ConnectionString);
  const gateSecret = read(known.Dashboard__GateSecret);
  const needed = [
    { setting: known.Database__ConnectionString.name, value: connectionString },
    { setting: known.Dashboard__GateSecret.name, value: gateSecret },
  ];
  const isProduction = environment['NODE_ENV'] === 'production';
  const settings = {
    isDevelopment:
      readOr(known.Application__Environment, isProduction ? 'Production' : 'Development') === 'Development',
    runMode: read(known.Application__RunMode),
    timeZone: read(known.Application__TimeZone),
    publicUrl: readOr(known.Application__PublicUrl, `http://${known.Dashboard__ListenAddress.kind.show(listen)}`),
    listen,
    connectionString: connectionString ?? '',
    prefix: read(known.Dashboard__EmbedPathPrefix),
    gateSecret: gateSecret ?? '',
    whiteLabel: {
      applicationName: read(known.WhiteLabel__ApplicationName),
      logoUrl: read(known.WhiteLabel__LogoUrl),
      primaryColor: read(known.WhiteLabel__PrimaryColor),
      secondaryColor: read(known.WhiteLabel__SecondaryColor),
      accentColor: read(known.WhiteLabel__AccentColor),
      footerText: read(known.WhiteLabel__FooterText),
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
