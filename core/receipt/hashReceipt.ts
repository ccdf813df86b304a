import { sha256Hex } from '../hash.ts'

/**
 * The hash by which an audit entry commits to a receipt: SHA-256 of its characters, as `0x` and hexadecimal digits.
 *
 * It binds every claim to the leaf. It needs no salt: the signature is part of what is hashed, and nobody without the
 * signing key can guess it.
 */
export function hashReceipt(receipt: string): `0x${string}` {
  return `0x${sha256Hex(receipt)}`
}
