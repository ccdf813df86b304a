import { sha256Hex } from '../hash.ts'

/**
 * The identifier under which the used proofs note that an Ethereum account no longer signs for the agents of an owner. It is
 * a hash, because whose wallet it is concerns nobody else, and differs from that of any proof or key of an agent.
 *
 * @param account `address` in lower case.
 */
export function accountRevocationOf({ ownerId, address }: { ownerId: string; address: string }): string {
  return `revoked ${sha256Hex(`${ownerId} ${address}`)}`
}
