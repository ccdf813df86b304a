import { sha256 } from '../hash.ts'
import { buildAgentIdentifierPreimage, generateAgentIdentifier } from './identifiers.ts'

/**
 * The identifier of an agent whose owner also signs for the chain: it must be known before the registration.
 *
 * The token URI, which the owner's signature covers, holds the identifier; so both sides derive it from the owner's
 * address and the nonce of the signed request. Nobody else can take it, since it needs the owner's signature, and
 * a nonce of 16 characters or more keeps strangers from computing it.
 *
 * @param ownerAddress Address in any case; it is lower-cased.
 * @param nonce Value of the header `X-Svc-Nonce`.
 *
 * Source: onchain.md "Additions" (`registerFor`); api.md "Signed request".
 */
export function deriveAgentIdentifier(ownerAddress: `0x${string}`, nonce: string): string {
  return generateAgentIdentifier(sha256(buildAgentIdentifierPreimage(ownerAddress, nonce)).subarray(0, 16))
}

/**
 * The identifier of the provisional agent of a recognised platform.
 *
 * It follows from the platform's id, so there can be one per platform only, however many processes see it first, and a
 * dry run can name it without storing it. It is public and proves nothing, and no registration can be given it.
 *
 * Source: Spec: Verification response, anonymous branch; verification.md "Anonymous branch".
 */
export function deriveProvisionalAgentIdentifier(platformId: string): string {
  return generateAgentIdentifier(sha256(`SVC-PROVISIONAL-AGENT-ID-V1\n${platformId}`).subarray(0, 16))
}
