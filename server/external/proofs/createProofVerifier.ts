import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import {
  ABSENT,
  type ProofAudience,
  type ProofFault,
  type ProofFinding,
  type ProvableAgent,
} from './proof.ts'
import { type VerifyAgentTokenDeps, verifyAgentToken } from './verifyAgentToken.ts'
import { verifyIntentProof } from './verifyIntentProof.ts'
import { type VerifyRequestSignatureDeps, verifyRequestSignature } from './verifyRequestSignature.ts'

/** What a request presents as proof, checked except for earlier uses. */
export type CheckedProof = {
  grade: 'none' | 'token' | 'signature'
  /** What is wrong with the first proof that does not hold. */
  fault: ProofFault | null
  /** The proofs that are good once; `hasExpired` ones count only for a request that was held with them. */
  uses: readonly { key: string; expiresAt: number; hasExpired: boolean }[]
  /** Key id of the signer. */
  kid: string | null
}

export type ProofVerifier = (input: {
  agent: ProvableAgent
  audience: ProofAudience
  request: VerificationRequest
  now: number
}) => Promise<CheckedProof>

/**
 * Creates the verifier of everything that a request can present to prove its agent: a signature, an intent proof, a token.
 *
 * Each that is presented has to hold: one that does not makes the whole request wrong.
 */
export function createProofVerifier(deps: VerifyRequestSignatureDeps & VerifyAgentTokenDeps): ProofVerifier {
  return async ({ agent, audience, request, now }) => {
    const { callerMetadata: metadata, intentProof, agentToken } = request
    const parties = { agent, audience, now }
    const signed =
      metadata?.signature === undefined
        ? ABSENT
        : await verifyRequestSignature(deps, { ...parties, metadata })
    const intent =
      intentProof === undefined ? ABSENT : await verifyIntentProof({ ...parties, request, intentProof })
    const signatures = [signed, intent]
    const signedBy = signatures.flatMap((one) => (one.found === 'valid' ? [one.kid] : []))[0] ?? null
    const token =
      agentToken === undefined
        ? ABSENT
        : await verifyAgentToken(deps, { ...parties, token: agentToken, signedBy })
    return gather(signatures, token)
  }
}

function gather(signatures: readonly ProofFinding[], token: ProofFinding): CheckedProof {
  const all = [...signatures, token]
  const isSigned = signatures.some(({ found }) => found === 'valid')
  return {
    grade: isSigned ? 'signature' : token.found === 'valid' ? 'token' : 'none',
    fault: all.flatMap((one) => (one.found === 'wrong' ? [one.fault] : []))[0] ?? null,
    uses: all.flatMap((one) =>
      one.found === 'valid' && one.use !== null ? [{ ...one.use, hasExpired: one.hasExpired }] : [],
    ),
    kid: all.flatMap((one) => (one.found === 'valid' && one.kid !== null ? [one.kid] : []))[0] ?? null,
  }
}
