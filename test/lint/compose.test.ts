import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = join(import.meta.dirname, '../../deploy');

/** What each of our containers has; a service without an image extends one of another file. */
const service = z.looseObject({
  image: z.string().optional(),
  networks: z.union([z.array(z.string()), z.record(z.string(), z.unknown()).transform(Object.keys)]).default([]),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  ports: z.array(z.string()).default([]),
});
const file = z.object({
  services: z.record(z.string(), service),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() }).nullable()).default({}),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })).default({}),
});

const files = readdirSync(folder)
  .filter((name) => /^compose.*\.yaml$/.test(name))
  .map((name) => ({ name, ...file.parse(parse(readFileSync(join(folder, name), 'utf8'), { merge: true })) }));
const services = files.flatMap(({ name, services: all }) =>
  Object.entries(all).map(([key, one]) => ({ file: name, name: key, ...one })),
);
const containers = services.filter(({ image }) => image !== undefined);

describe('the compose files of deploy/', () => {
  it.each(containers)(
    '$file: $name has limits, a read-only file system, and only the permissions that it needs',
    (one) => {
      expect(one).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { driver: 'json-file', options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } },
        mem_limit: expect.any(String),
        cpus: expect.anything(),
        pids_limit: expect.any(Number),
        restart: expect.stringMatching(/^(unless-stopped|no)$/),
      });
      expect(one).not.toHaveProperty('privileged');
      expect(one).not.toHaveProperty('network_mode');
    },
  );

  it.each(containers)('$file: $name has an exact version', ({ image = '' }) => {
    expect(image).toMatch(/^\$\{\w+:(\?|-[\w./-]+:\d+\.\d+\.\d+[\w.-]*)\}$/);
  });

  it.each(containers)(
    '$file: $name names its networks, so that none is shared by accident',
    ({ networks, file: of }) => {
      expect(networks.length).toBeGreaterThan(0);
      expect(networks).not.toContain('default');
      const known = files
        .filter(({ name }) => name === of || name === 'compose.yaml')
        .flatMap((one) => Object.keys(one.networks));
      if (known.includes('database')) expect(networks.filter((name) => !known.includes(name))).toEqual([]);
    },
  );

  it('only the proxy publishes ports of the machine', () => {
    expect(services.filter(({ ports }) => ports.length > 0).map(({ name }) => name)).toEqual(
      services.some(({ name }) => name === 'caddy') ? ['caddy'] : [],
    );
  });

  it.each(services)('$file: $name has its secrets in files, none in its environment', ({ environment }) => {
    const given = Object.entries(environment).filter(([, value]) => !/^(true|false)$/.test(value));
    const named = given.filter(([name]) => /password|secret|token|connectionstring/i.test(name));
    expect(named.filter(([name, path]) => !name.endsWith('_FILE') || !path.startsWith('/run/secrets/'))).toEqual([]);
  });

  it('the second portal of a stack has the same configuration as the first in every file, and exists only on request', () => {
    const named = (name: string) => services.filter((one) => one.name === name);
    const apart = { profiles: ['several'], depends_on: { portal: { condition: 'service_healthy' } } };
    expect(named('portal-2')).toEqual(
      named('portal').map((one) => ({ ...one, name: 'portal-2', ...(one.image !== undefined && apart) })),
    );
  });

  it('every portal refuses the most common passwords', () => {
    const portals = containers.filter(({ name }) => /^portal(-2)?$/.test(name));
    expect(portals.map(({ environment }) => environment['Authentication__RefuseCommonPasswords'])).toEqual([
      'true',
      'true',
    ]);
  });

  it('the network of the database has no way out', () => {
    for (const { networks } of files) if ('database' in networks) expect(networks['database']?.internal).toBe(true);
  });
});
