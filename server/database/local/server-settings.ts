export interface Machine {
  isLinux: boolean;
  /** Memory available to this process, in bytes. */
  memoryBytes: number;
  /** The size of /dev/shm in bytes; undefined if there is none. */
  sharedMemoryBytes: number | undefined;
}

const mebibyte = 1024 * 1024;

/**
 * The settings of the local server, for two cores and little memory. It listens on the loopback address only, and has no Unix
 * socket, because its path could exceed the limit of 107 bytes.
 */
export function serverSettings(machine: Machine, port: number, hasTimescaleDb: boolean): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    ...memorySettings(machine),
    fsync: 'on',
    synchronous_commit: 'on',
    wal_compression: 'on',
    max_wal_size: '2GB',
    // After a crash all files are synced before the recovery: file by file that took 2 s, the recovery itself 0.02 s.
    ...(machine.isLinux ? { recovery_init_sync_method: 'syncfs' } : {}),
    // On flash, random reads cost hardly more than sequential ones.
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    // Statements contain values, and bulk statements are long.
    log_min_error_statement: 'panic',
    ...(hasTimescaleDb ? timescaleSettings : {}),
  };
}

/** Needed wherever a cluster with TimescaleDB is opened. */
export const timescaleSettings = { shared_preload_libraries: 'timescaledb', 'timescaledb.telemetry_level': 'off' };

export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function memorySettings({ memoryBytes, sharedMemoryBytes }: Machine): Record<string, string> {
  const memoryMb = Math.floor(memoryBytes / mebibyte);
  return {
    shared_buffers: `${Math.max(16, Math.min(256, Math.floor(memoryMb / 8)))}MB`,
    effective_cache_size: `${Math.max(64, Math.floor(memoryMb / 2))}MB`,
    huge_pages: 'try',
    // A container often has 64 MB of /dev/shm, too little for a parallel hash; System V memory does not come from there.
    ...(sharedMemoryBytes !== undefined && sharedMemoryBytes < 256 * mebibyte
      ? { dynamic_shared_memory_type: 'sysv' }
      : {}),
  };
}
