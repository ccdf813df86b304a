import { base64OfBytes } from './base64OfBytes.ts'
import { bytesOfHex } from './bytesOfHex.ts'

/** What a checkpoint says: that the log `origin` had this root at this size. */
export type CheckpointFields = { readonly origin: string; readonly size: number; readonly root: string }

/**
 * The text that a log signs to vouch for a head: origin, size and root, a line each.
 *
 * @throws Error for an origin that would not be one line.
 * Source: C2SP tlog-checkpoint, "Note text".
 */
export function checkpointText({ origin, size, root }: CheckpointFields): string {
  if (!/^[^\s+]+$/.test(origin)) throw new Error(`"${origin}" cannot be the origin of a log`)
  return `${origin}\n${size}\n${base64OfBytes(bytesOfHex(root))}\n`
}
