import { sha256 } from '../hash.ts'
import { agentIdentifier } from './agentIdentifier.ts'

/**
 * The identifier of the provisional agent of a recognised platform.
 *
 * It follows from the platform's id, so there can be one per platform only, however many processes see it first, and a
 * dry run can name it without storing it. It is public and proves nothing, and no registration can be given it.
 *
 * Source: Spec: Verification response, anonymous branch; verification.md "Anonymous branch".
 */
export function provisionalAgentIdentifier(platformId: string): string {
  return agentIdentifier(sha256(`SVC-PROVISIONAL-AGENT-ID-V1\n${platformId}`).subarray(0, 16))
}
