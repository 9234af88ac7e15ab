import { z } from 'zod';
import { type AppInfo, appInfo, type ConfigEntry, configEntry, type RunMode } from '../../shared/app.ts';
import type { Context } from './context.ts';
import { type Guard, guarded, type App } from './guard.ts';
import { waitingForHeader } from './starting-server.ts';

export interface AppInfoParts {
  runMode: RunMode;
  version: string;
  /** The current name from the branding. */
  applicationName: () => Promise<string>;
  isDatabaseReachable: () => Promise<boolean>;
  /** The loaded share of the demo data; null if nothing is missing. */
  demoPercent: () => number | null;
}

const tags = ['Application'];
const plainText = (text: string) => ({ content: { 'text/plain': { schema: z.literal(text) } } });

/** `GET /api/app/info`, `/health` and `/health/ready`: open to everybody, because page, proxy and supervisor ask first. */
export function appInfoRoutes(app: App, parts: AppInfoParts): void {
  app.get(
    '/api/app/info',
    {
      schema: {
        tags,
        operationId: 'getAppInfo',
        summary: 'Get the run mode, name and version',
        response: { 200: appInfo },
      },
    },
    async (): Promise<AppInfo> => {
      const demoPercent = parts.demoPercent();
      return {
        runMode: parts.runMode,
        applicationName: await parts.applicationName(),
        version: parts.version,
        ...(demoPercent !== null && { demoPercent }),
      };
    },
  );

  app.get(
    '/health',
    {
      schema: {
        tags,
        operationId: 'checkHealth',
        summary: 'Check that the process responds',
        response: { 200: plainText('Healthy') },
      },
    },
    async (_request, reply) => reply.type('text/plain; charset=utf-8').send('Healthy'),
  );

  let wasReady = true;
  app.get(
    '/health/ready',
    {
      schema: {
        tags,
        operationId: 'checkReadiness',
        summary: 'Check that the database responds, too',
        description: 'X-Waiting-For says what is missing.',
        response: { 200: plainText('Healthy'), 503: plainText('Unhealthy') },
      },
    },
    async (_request, reply) => {
      const isReady = await parts.isDatabaseReachable();
      if (!isReady) void reply.headers(waitingForHeader('the database'));
      if (wasReady && !isReady) app.log.warn({ waitingFor: 'the database' }, 'the portal is not ready');
      if (!wasReady && isReady) app.log.info('the portal is ready again');
      wasReady = isReady;
      return reply
        .code(isReady ? 200 : 503)
        .type('text/plain; charset=utf-8')
        .send(isReady ? 'Healthy' : 'Unhealthy');
    },
  );
}

/** `GET /api/config`: the settings and their sources, without secrets (specification, Authentication 5). */
export function configOverviewRoutes(
  app: App,
  guard: Guard,
  { config, engine }: Pick<Context, 'config' | 'engine'>,
): void {
  const { environment, publicUrl } = config;
  const isPlain = environment === 'Production' && !publicUrl.startsWith('https:');
  if (isPlain) {
    app.log.warn(
      { publicUrl },
      'PRODUCTION WITHOUT TLS: Application__PublicUrl is an http address, so passwords and session cookies travel unencrypted; put a proxy with TLS in front and set the https address',
    );
  }
  const overview = config.overview.map((entry): ConfigEntry =>
    isPlain && entry.name === 'Application__PublicUrl' ? { ...entry, warning: 'plainHttp' } : entry,
  );
  // The engine is detected and not configured. It is listed with the settings of the database.
  overview.push({ name: 'Database__Engine', value: engine.name, source: 'database', isSet: true, isSecret: false });
  app.get(
    '/api/config',
    guarded(guard.admin, {
      tags: ['Application'],
      operationId: 'getConfiguration',
      summary: 'List the settings with their sources, without secrets',
      response: { 200: z.array(configEntry) },
    }),
    async () => overview,
  );
}
