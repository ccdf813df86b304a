import { sha256 } from '../hash.ts'
import { buildAgentIdentifierPreimage, encodeAgentIdentifier } from './identifiers.ts'

/**
 * Derives the identifier of an agent whose owner also signs the on-chain registration.
 *
 * That signature covers the token URI, which contains the identifier, so the identifier must be known before registration.
 * Client and server derive it from the owner's address and the nonce of the signed request. No one else can claim it,
 * because that takes the owner's signature, and a nonce of at least 16 characters keeps strangers from computing it.
 *
 * @param ownerAddress Address in any case; it is lower-cased.
 * @param nonce Value of the header `X-Svc-Nonce`.
 */
export function deriveAgentIdentifier(ownerAddress: `0x${string}`, nonce: string): string {
  return encodeAgentIdentifier(sha256(buildAgentIdentifierPreimage(ownerAddress, nonce)).subarray(0, 16))
}

/**
 * Derives the identifier of the provisional agent of a recognised platform from the platform's id.
 *
 * So each platform has one agent even if several processes see it at the same time, and a dry run can name the agent without
 * storing it. The identifier is public, proves nothing, and is never assigned to a registration.
 *
 * Source: Spec: Verification response, anonymous branch.
 */
export function deriveProvisionalAgentIdentifier(platformId: string): string {
  return encodeAgentIdentifier(sha256(`SVC-PROVISIONAL-AGENT-ID-V1\n${platformId}`).subarray(0, 16))
}

/**
 * Derives the identifier of an agent of another registry that nobody has adopted, from its name and its owner: a new owner
 * does not inherit the behaviour of the former.
 *
 * The identifier is public, proves nothing, and is never assigned to a registration. Source: docs/foreign-agents.md.
 */
export function deriveForeignAgentIdentifier(token: string, owner: string): string {
  return encodeAgentIdentifier(sha256(`SVC-FOREIGN-AGENT-ID-V1\n${token}\n${owner}`).subarray(0, 16))
}
