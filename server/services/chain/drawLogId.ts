import type { Hex } from '../../chain/chainTypes.ts'
import { generateHex } from '../generateHex.ts'

const RANDOM_BYTES = 12

/**
 * Draws the id of a new audit log: the address of the account that will open it, then random bytes. The contract lets no
 * other account open it. Source: contracts/interfaces/IAuditLog.sol.
 */
export function drawLogId(opener: Hex, randomBytes: (length: number) => Uint8Array): Hex {
  return `0x${opener.slice(2).toLowerCase()}${generateHex(randomBytes, RANDOM_BYTES)}`
}
