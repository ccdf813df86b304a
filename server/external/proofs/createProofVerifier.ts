import { isSigned, type VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { ProofAudience, ProofFault, ProofFinding, ProvableAgent } from './proof.ts'
import { type VerifyAgentTokenDeps, verifyAgentToken } from './verifyAgentToken.ts'
import { verifyIntentProof } from './verifyIntentProof.ts'
import { type VerifyRequestSignatureDeps, verifyRequestSignature } from './verifyRequestSignature.ts'

/** A signature, intent proofs included, or an agent token. */
export type PresentedKind = 'signature' | 'token'

/** What a request presents as proof, checked except for earlier uses. */
export type CheckedProof = {
  grade: 'none' | 'token' | 'signature'
  /** What is wrong: that something was not reported, otherwise what is wrong with the first proof that does not hold. */
  fault: ProofFault | null
  /** Of what `fault` is; null without one. */
  faulty: PresentedKind | null
  /** The proofs that are good once; `hasExpired` ones count only for a request that was held with them. */
  uses: readonly { key: string; expiresAt: number; hasExpired: boolean }[]
  /** The token that holds, apart from its time: an expired one counts only for a request that was held with it. */
  token: { tokenId: string; expiresAt: number; hasExpired: boolean } | null
  /** Key id of the signer. */
  kid: string | null
  /** The Ethereum account that obtained the token, in lower case; null without a token that names it. */
  obtainer: string | null
}

export type ProofVerifier = (input: {
  agent: ProvableAgent
  audience: ProofAudience
  request: VerificationRequest
  now: number
}) => Promise<CheckedProof>

/**
 * Creates the verifier of everything that a request can present to prove its agent: signatures, an intent proof, a token.
 *
 * Each that is presented has to hold: one that does not makes the whole request wrong.
 */
export function createProofVerifier(deps: VerifyRequestSignatureDeps & VerifyAgentTokenDeps): ProofVerifier {
  return async ({ agent, audience, request, now }) => {
    const { callerMetadata: metadata, intentProof, agentToken } = request
    const parties = { agent, audience, now }
    const signed = isSigned(metadata) ? await verifyRequestSignature(deps, { ...parties, metadata }) : []
    const intent =
      intentProof === undefined ? [] : [await verifyIntentProof({ ...parties, request, intentProof })]
    const signatures = [...signed, ...intent]
    const signers = signatures.flatMap((one) => (one.found === 'valid' ? (one.kid ?? []) : []))
    const token =
      agentToken === undefined
        ? []
        : [await verifyAgentToken(deps, { ...parties, token: agentToken, signers })]
    return gather(signatures, token)
  }
}

function gather(signatures: readonly ProofFinding[], token: readonly ProofFinding[]): CheckedProof {
  const all = [...signatures, ...token]
  const isValid = ({ found }: ProofFinding) => found === 'valid'
  const faults = [...listFaults(signatures, 'signature'), ...listFaults(token, 'token')]
  return {
    grade: signatures.some(isValid) ? 'signature' : token.some(isValid) ? 'token' : 'none',
    ...(pickFault(faults) ?? { fault: null, faulty: null }),
    uses: all.flatMap((one) =>
      one.found === 'valid' && one.use !== null ? [{ ...one.use, hasExpired: one.hasExpired }] : [],
    ),
    token:
      token.flatMap((one) =>
        one.found === 'valid' && one.token ? [{ ...one.token, hasExpired: one.hasExpired }] : [],
      )[0] ?? null,
    kid: all.flatMap((one) => (one.found === 'valid' && one.kid !== null ? [one.kid] : []))[0] ?? null,
    obtainer: token.flatMap((one) => (one.found === 'valid' ? (one.obtainer ?? []) : []))[0] ?? null,
  }
}

type Fault = { fault: ProofFault; faulty: PresentedKind }

function listFaults(findings: readonly ProofFinding[], faulty: PresentedKind): Fault[] {
  return findings.flatMap((one) => (one.found === 'wrong' ? [{ fault: one.fault, faulty }] : []))
}

/** A fault that is not told must not hide one that is: that would tell it. */
function pickFault(faults: readonly Fault[]): Fault | undefined {
  const find = (isPicked: (fault: ProofFault) => boolean) => faults.find(({ fault }) => isPicked(fault))
  return find((fault) => fault === 'not_reported') ?? find((fault) => fault !== 'unaddressed') ?? faults[0]
}
