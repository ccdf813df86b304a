/**
 * The body of a request as received, before anything has parsed or decompressed it. It is `unread` if it is longer than the
 * gateway reads, if a parser has consumed it, if it did not arrive in time, or if there was no room for it.
 */
export type ReceivedBody =
  | string
  | Uint8Array
  | { readonly unread: 'too_long' | 'consumed' | 'too_slow' | 'no_room' }

/** Bounds for the body of one request. */
export type BodyLimits = {
  /** How long it may take, in milliseconds. */
  waitMs: number
  /** Takes room for bytes until the request ends; false if there is too little. */
  takeRoom(bytes: number): boolean
}

/** How long a body is read by default: 1 MiB. */
export const BODY_BYTES_MAX = 1_048_576

/** Whether the digest of the body matters: the request carries a signature or an intent proof. */
export function isProving(headers: Readonly<Record<string, unknown>>): boolean {
  return headers.signature !== undefined || headers['x-svc-proof'] !== undefined
}
