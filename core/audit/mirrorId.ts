import { decodeHex, encodeHex } from '../bytes.ts'
import { sha256 } from '../hash.ts'

/** Bytes after the account, as many as the contract leaves to its opener. */
const BOUND_BYTES = 12

/**
 * The id under which an account mirrors an audit log on another chain: the account, which the contract requires, then the
 * beginning of the hash of the mirrored log's id. So the chain itself shows what is mirrored, and two accounts never share a
 * mirror.
 *
 * @param account Address of 20 bytes. @param logId Id of the mirrored log, 32 bytes.
 * Source: contracts/interfaces/IAuditLog.sol; docs/decisions/0141-a-second-chain-is-a-mirror.md.
 */
export function mirrorIdOf(account: string, logId: string): `0x${string}` {
  return `0x${account.slice(2).toLowerCase()}${bindingOf(logId)}`
}

/** Whether an id is that of a mirror of this log, whoever keeps it. */
export function isMirrorOf(mirrorId: string, logId: string): boolean {
  return mirrorId.toLowerCase().endsWith(bindingOf(logId))
}

function bindingOf(logId: string): string {
  return encodeHex(sha256(decodeHex(logId)).subarray(0, BOUND_BYTES)).slice(2)
}
