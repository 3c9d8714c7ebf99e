/** How the embedded server is run; names are PostgreSQL's own. */
export function serverSettings(durable: boolean): Readonly<Record<string, string>> {
  return {
    max_connections: "60",
    shared_buffers: "256MB",
    // A push of a million samples writes some 20 MB of log; checkpoints every 64 MB would write each page twice.
    max_wal_size: "2GB",
    checkpoint_timeout: "10min",
    // Our queries take milliseconds; compiling one takes tens of them.
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    unix_socket_permissions: "0700",
    // Acknowledged means durable. Off only for databases that a test throws away.
    fsync: durable ? "on" : "off",
    synchronous_commit: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
  };
}
