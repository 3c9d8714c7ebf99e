import type { Channel, NoticeBody, NoticeReason, NoticeState } from "../notice/notice.ts";

/** One try to deliver a notice. */
export interface DeliveryView {
  readonly atMs: number;
  readonly ok: boolean;
  /** HTTP status; null where no answer came. */
  readonly status: number | null;
  readonly message: string;
}

/** One thing told to one channel, with every try. */
export interface NoticeView {
  readonly id: number;
  readonly incidentId: number;
  readonly channelId: number;
  readonly channel: string;
  readonly kind: Channel["kind"];
  readonly reason: NoticeReason;
  readonly state: NoticeState;
  readonly createdAtMs: number;
  /** What was told. */
  readonly body: NoticeBody;
  /** Oldest first. */
  readonly deliveries: readonly DeliveryView[];
}

export interface NoticePage {
  /** Newest first. */
  readonly items: readonly NoticeView[];
  readonly next: string | null;
}

/** How a channel does, for whoever relies on it. */
export interface ChannelHealth {
  readonly channelId: number;
  /** Notices that are still to be sent. */
  readonly waiting: number;
  readonly lastDeliveredAtMs: number | null;
  /** The newest try that failed after the last one that succeeded; null where none has. */
  readonly lastFailure: DeliveryView | null;
}

/** What a test message met. A receiver that refuses is an answer, not an error. */
export interface ChannelTest {
  readonly ok: boolean;
  readonly status: number | null;
  readonly message: string;
  readonly tookMs: number;
}
