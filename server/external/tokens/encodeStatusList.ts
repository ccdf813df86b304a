import { deflateSync } from 'node:zlib'
import { STATUS_LIST_SIZE } from '@svc/core/receipt/receipt.ts'

/**
 * Encodes a status list of one bit for each receipt: set for those withdrawn.
 *
 * The list always has its full size, so that it does not show how many receipts there are.
 *
 * @param withdrawn Positions in the list.
 * @returns `lst`. Source: draft-ietf-oauth-status-list "Compressed Byte Array".
 */
export function encodeStatusList(withdrawn: readonly number[]): string {
  const bytes = new Uint8Array(STATUS_LIST_SIZE / 8)
  for (const index of withdrawn) {
    const at = index >> 3
    bytes[at] = (bytes[at] ?? 0) | (1 << (index & 7))
  }
  return deflateSync(bytes, { level: 9 }).toString('base64url')
}
