import type { ConfigEntry, RunMode } from '../../shared/app.ts';
import type { Branding } from '../../shared/branding.ts';

/** Every setting of this process, read and checked once at start. */
export interface Config {
  environment: 'Development' | 'Production';
  runMode: RunMode;
  version: string;
  publicUrl: string;
  /** IANA zone of "today" where no site decides. */
  timeZone: string;
  listen: { host: string; port: number };
  trustedProxies: string[];
  database: {
    connectionString: string | undefined;
    autoProvision: boolean;
    compressAfterDays: number;
    /** 0 keeps all. */
    retentionMonths: number;
  };
  authentication: { defaultAdminEmail: string; defaultAdminPassword: string };
  whiteLabel: Branding;
  storage: { keysPath: string; uploadsPath: string; dataPath: string };
  dashboard: { embedPathPrefix: string; upstream: string | undefined };
  fleetIngest: {
    enabled: boolean;
    url: string | undefined;
    token: string | undefined;
    intervalSeconds: number;
    batchSize: number;
    backoffMinSeconds: number;
    backoffMaxSeconds: number;
    tokenGraceHours: number;
    maxBatchesPerMinute: number;
  };
  metrics: { token: string | undefined };
  demo: { enabled: boolean };
  /** `GET /api/config`; secrets are already taken out. */
  overview: ConfigEntry[];
}
