import { describe, expect, it } from 'vitest';
import { serverSettings, settingArguments } from './cluster.ts';

const gibibyte = 1024 ** 3;
const machine = { isLinux: true, memoryBytes: 8 * gibibyte, sharedMemoryBytes: 4 * gibibyte };

describe('the settings of the local server', () => {
  it('listen only on the loopback address, without a socket in the file system', () => {
    expect(serverSettings(machine, 41_234, false)).toMatchObject({
      listen_addresses: '127.0.0.1',
      port: '41234',
      unix_socket_directories: '',
    });
  });

  it('never trade durability for speed', () => {
    expect(serverSettings(machine, 1, true)).toMatchObject({ fsync: 'on', synchronous_commit: 'on' });
  });

  it('sync all files at once before a recovery, if the system can', () => {
    expect(serverSettings(machine, 1, true)).toMatchObject({ recovery_init_sync_method: 'syncfs' });
    expect(serverSettings({ ...machine, isLinux: false }, 1, true)).not.toHaveProperty('recovery_init_sync_method');
  });

  it.each([
    [0.5, '64MB'],
    [1, '128MB'],
    [8, '256MB'],
  ])('take an eighth of %d GiB of memory and never more than 256 MB: %s', (gibibytes, sharedBuffers) => {
    const settings = serverSettings({ ...machine, memoryBytes: gibibytes * gibibyte }, 1, false);
    expect(settings['shared_buffers']).toBe(sharedBuffers);
  });

  it('keep dynamic shared memory out of a /dev/shm that is as small as in a container', () => {
    const inContainer = serverSettings({ ...machine, sharedMemoryBytes: 64 * 1024 ** 2 }, 1, false);
    expect(inContainer['dynamic_shared_memory_type']).toBe('sysv');
    expect(serverSettings(machine, 1, false)).not.toHaveProperty('dynamic_shared_memory_type');
    expect(serverSettings({ ...machine, sharedMemoryBytes: undefined }, 1, false)).not.toHaveProperty(
      'dynamic_shared_memory_type',
    );
  });

  it('preload TimescaleDB, with telemetry off, only if the cluster has it', () => {
    expect(serverSettings(machine, 1, true)).toMatchObject({
      shared_preload_libraries: 'timescaledb',
      'timescaledb.telemetry_level': 'off',
    });
    expect(serverSettings(machine, 1, false)).not.toHaveProperty('shared_preload_libraries');
  });

  it('become arguments of the server', () => {
    expect(settingArguments({ jit: 'off', port: '1' })).toEqual(['-c', 'jit=off', '-c', 'port=1']);
  });
});
