import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ChildTool, createChildTool, hasTool } from '../../server/dashboards/child.ts';

const patience = { timeout: 45_000, interval: 20 };

/** Answers with its settings; `/end` ends it. */
const server = `
import { createServer } from 'node:http';
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
console.log(JSON.stringify({ level: 'info', time: 'now', service: 'x', part: 'data', msg: 'listening' }));
console.error('a plain line');
createServer((request, response) => {
  if (request.url === '/end') process.exit(3);
  response.end(JSON.stringify({ pid: process.pid, env: process.env }));
}).listen(0, '127.0.0.1', function () { process.send({ listening: this.address().port }); });
`;

let folder: string;
let tool: ChildTool | undefined;
let lines: { fields: Record<string, unknown>; message: string }[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-tool-'));
  await mkdir(join(folder, 'scripts'));
  await mkdir(join(folder, 'dashboards/server'), { recursive: true });
  lines = [];
});
afterEach(async () => {
  await tool?.stop();
  tool = undefined;
  await rm(folder, { recursive: true, force: true });
});

const plant = async (build: string, main = server) => {
  await writeFile(join(folder, 'scripts/dashboards-page.mjs'), build);
  await writeFile(join(folder, 'dashboards/server/main.mjs'), main);
};
const start = (): ChildTool => {
  const take = (fields: object, message: string) => void lines.push({ fields: { ...fields }, message });
  tool = createChildTool({
    projectFolder: folder,
    environment: process.env,
    settings: async () => ({ Dashboard__GateSecret: 'the secret' }),
    log: { info: take, warn: take },
    now: Date.now,
    random: () => 0,
    waits: { minSeconds: 0.05, maxSeconds: 0.1 },
  });
  tool.start();
  return tool;
};
const states = () => lines.flatMap(({ fields }) => (typeof fields['state'] === 'string' ? [fields['state']] : []));
const stateOf = async (one: ChildTool) => (await one.status()).state;
const ask = async (one: ChildTool) => {
  const answer = await fetch(`${one.origin()}/`);
  return z.object({ pid: z.int(), env: z.record(z.string(), z.string()) }).parse(await answer.json());
};
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the dashboard tool as a child of the portal', () => {
  test('is there where both its parts are', async () => {
    expect(hasTool(folder)).toBe(false);
    await plant('');
    expect(hasTool(folder)).toBe(true);
  });

  test('is installed, built and started, and the status shows each step', async () => {
    await plant(`console.error('Installing the packages…'); console.error('Building the page…');`);
    const one = start();
    expect(one.origin()).toBeNull();
    await expect.poll(() => stateOf(one), patience).toBe('running');
    expect(states()).toEqual(['installing', 'building', 'starting', 'running']);
    expect((await ask(one)).env).toMatchObject({
      Dashboard__GateSecret: 'the secret',
      Dashboard__ListenAddress: '127.0.0.1:0',
    });
  });

  test('its lines stand in the log of the portal', async () => {
    await plant('');
    const one = start();
    await expect.poll(() => stateOf(one), patience).toBe('running');
    await expect
      .poll(() => lines.filter(({ fields }) => fields['state'] === undefined), patience)
      .toEqual(
        expect.arrayContaining([
          { fields: { part: 'dashboards' }, message: 'listening' },
          { fields: { part: 'dashboards' }, message: 'a plain line' },
        ]),
      );
  });

  test('is started again when it ends', async () => {
    await plant('');
    const one = start();
    await expect.poll(() => stateOf(one), patience).toBe('running');
    const { pid } = await ask(one);
    await fetch(`${one.origin()}/end`).catch(() => undefined);
    await expect.poll(() => states().slice(-3), patience).toEqual(['failed', 'starting', 'running']);
    expect(lines.find(({ fields }) => fields['state'] === 'failed')?.fields).toMatchObject({
      reason: expect.stringMatching(/^it ended \(3\)/),
      code: 'ended',
    });
    expect((await ask(one)).pid).not.toBe(pid);
  });

  test('says why its page could not be built, and tries again', async () => {
    await plant(`import { existsSync, writeFileSync } from 'node:fs';
      if (!existsSync('tried')) { writeFileSync('tried', ''); console.error('npm has no network'); process.exit(1); }`);
    const one = start();
    await expect.poll(() => stateOf(one), patience).toBe('running');
    expect(lines.find(({ fields }) => fields['state'] === 'failed')?.fields).toMatchObject({
      reason: 'its page could not be built: npm has no network',
      code: 'notBuilt',
    });
  });

  test('ends with the portal', async () => {
    await plant('');
    const one = start();
    await expect.poll(() => stateOf(one), patience).toBe('running');
    const { pid } = await ask(one);
    await one.stop();
    expect(isAlive(pid)).toBe(false);
    expect(await one.status()).toMatchObject({ state: 'off', reason: null });
    expect(one.origin()).toBeNull();
  });

  test('a build that is under way ends with the portal, and all that it has started', async () => {
    await plant(`import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
      writeFileSync('pid', String(child.pid));
      console.error('Building the page…');
      setInterval(() => undefined, 1000);`);
    const one = start();
    await expect.poll(() => stateOf(one), patience).toBe('building');
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    expect(isAlive(pid)).toBe(true);
    await one.stop();
    await expect.poll(() => isAlive(pid), patience).toBe(false);
    expect(states()).not.toContain('failed');
  });
});
