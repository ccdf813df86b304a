import { sha256 } from '@svc/core/hash.ts'

/** Separates the mask from the stored hash of the same token. */
const MASK_LABEL = 'SVC-REFRESH-TOKEN-SUCCESSOR-V1\n'

/** Writes the random bytes of a refresh token as the token. */
export function toRefreshToken(random: Uint8Array): string {
  return `svc_rt_${Buffer.from(random).toString('base64url')}`
}

/**
 * Masks the random bytes of a refresh token so that only its predecessor can unmask them.
 *
 * The mask is a digest of 256 random bits and masks one successor only, so the database reveals neither token.
 */
export function maskRefreshToken(random: Uint8Array, predecessor: string): string {
  return Buffer.from(xor(random, sha256(MASK_LABEL + predecessor))).toString('base64url')
}

/** Recovers a masked refresh token with its predecessor. */
export function unmaskRefreshToken(masked: string, predecessor: string): string {
  return toRefreshToken(xor(Buffer.from(masked, 'base64url'), sha256(MASK_LABEL + predecessor)))
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, at) => byte ^ (other[at] ?? 0))
}
