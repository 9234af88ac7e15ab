export interface Machine {
  /** What this process may use of the memory, in bytes. */
  memoryBytes: number;
  /** The size of /dev/shm in bytes, or undefined where there is none. */
  sharedMemoryBytes: number | undefined;
}

const mebibyte = 1024 * 1024;

/**
 * The settings of the local server, for two cores and a small memory. It listens on the loopback address alone, and has no
 * socket in the file system, whose path may not be longer than 107 bytes.
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
    // The disks of such machines are flash, where a random page costs hardly more than the next one.
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    // A statement holds values, and a bulk one is long.
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
