import pg from "pg";

/** Words from any process on this database to all of them, at once and without a trace: who was not listening must look for itself. */
export interface Channel {
  publish(payload: string): Promise<void>;
  close(): Promise<void>;
}

export interface ChannelOptions {
  readonly url: string;
  /** Sends; listening has a connection of its own, since it must stay open. */
  readonly pool: pg.Pool;
  readonly name: string;
  readonly onMessage: (payload: string) => void;
  /** The connection is back after it was lost: messages may have been missed. */
  readonly onGap: () => void;
}

const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 10_000;

/**
 * Listens on a PostgreSQL notification channel and keeps listening over losses of the connection.
 * @param options.name a plain identifier: it stands in SQL as it is
 * @throws Error of the driver where the first connection fails
 */
export async function openChannel({ url, pool, name, onMessage, onGap }: ChannelOptions): Promise<Channel> {
  let client: pg.Client | null = null;
  let isClosed = false;
  let retryMs = RETRY_FIRST_MS;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, application_name: "trainwatch listen", keepAlive: true });
    let isLost = false;
    const lose = (): void => {
      if (isLost) return;
      isLost = true;
      client = null;
      scheduleRetry();
    };
    next.on("notification", (message) => onMessage(message.payload ?? ""));
    // An error without a listener would end the process; `end` follows it or comes alone.
    next.on("error", lose);
    next.on("end", lose);
    try {
      await next.connect();
      await next.query(`LISTEN ${name}`);
    } catch (error) {
      isLost = true;
      await next.end().catch(() => undefined);
      throw error;
    }
    if (isClosed) await next.end();
    else client = next;
  };

  const scheduleRetry = (): void => {
    if (isClosed) return;
    timer = setTimeout(() => {
      connect().then(
        () => {
          retryMs = RETRY_FIRST_MS;
          onGap();
        },
        () => {
          retryMs = Math.min(RETRY_MOST_MS, retryMs * 2);
          scheduleRetry();
        },
      );
    }, retryMs);
  };

  await connect();
  return {
    async publish(payload) {
      await pool.query("SELECT pg_notify($1, $2)", [name, payload]);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
