import type { Hex } from 'viem'

/** Half the order of secp256k1. Source: SEC 2 §2.4.1; EIP-2. */
const HIGHEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * Whether s of a signature (65 bytes: r, s, v) is the lower of its two equivalent values.
 *
 * Anyone can compute the higher one from a valid signature, so it is refused. Source: EIP-2.
 */
export function hasLowS(signature: Hex): boolean {
  return BigInt(`0x${signature.slice(66, 130)}`) <= HIGHEST_S
}
