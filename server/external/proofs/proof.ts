import type { SigningKey } from '../httpSignatures/readSigningKey.ts'

/**
 * A key of an agent, imported once; a revoked one verifies nothing, but shows that a signature was meant for the agent.
 * `isProven`: whoever added it has proven to hold it.
 */
export type ProofKey = { kid: string; isRevoked: boolean; isProven: boolean } & Pick<
  SigningKey,
  'alg' | 'verifies'
>

/** The agent that a request names, with what can prove its identity. */
export type ProvableAgent = {
  svcId: string
  /**
   * What it may call itself in a proof, in lower case except for `SVC-` identifiers; the first where it does not say. An
   * agent of another registry also has the name of its token.
   */
  names: readonly [string, ...string[]]
  keys: readonly ProofKey[]
  /** Ethereum accounts whose signatures count, in lower case. */
  accounts: readonly string[]
  /** Ethereum accounts whose agent tokens count, in lower case. */
  obtainers: readonly string[]
  /** Whether `accounts` are of another chain: a contract wallet of this one with the same address is somebody else's. */
  hasForeignAccounts: boolean
}

/** The endpoint for which a proof has to be made. */
export type ProofAudience = {
  /** Null before it is claimed. */
  svceId: string | null
  /** Hosts under which agents reach it, with ports unless they are the default. */
  authorities: readonly string[]
}

/**
 * Why a proof does not hold, as it is logged for operators. Callers are told a cause, which is coarser (`causeOfFault`).
 *
 * `unaddressed`: a signature that only names an account of the agent, without saying that it is for the agent.
 */
export type ProofFault =
  | 'malformed'
  | 'unaddressed'
  | 'other_purpose'
  | 'not_covered'
  | 'not_reported'
  | 'unsupported_component'
  | 'not_yet_valid'
  | 'long_lived'
  | 'no_nonce'
  | 'key_unknown'
  | 'key_revoked'
  | 'other_algorithm'
  | 'forged'
  | 'other_agent'
  | 'other_audience'
  | 'other_facts'
  | 'other_holder'
  | 'account_revoked'

/** The result of checking one proof: it is wrong, or it holds. */
export type ProofFinding =
  | { found: 'wrong'; fault: ProofFault }
  | {
      found: 'valid'
      /** Key id of the signer; null for a token without a holder. */
      kid: string | null
      /** The Ethereum account that obtained a token, in lower case. */
      obtainer?: string | undefined
      /** What the proof uses up; null for a token, which may be presented again. */
      use: { key: string; expiresAt: number } | null
      /** Of a token, `jti` and the time at which it expires, in epoch milliseconds. */
      token?: { tokenId: string; expiresAt: number }
      /** It was valid until it expired, and still counts for a request that was held for approval with it. */
      hasExpired: boolean
    }

/** Builds the finding that a proof is wrong. */
export function wrongProof(fault: ProofFault): ProofFinding {
  return { found: 'wrong', fault }
}

/** Whether a text is a name of the agent. The address in the name of a token may have any case. */
export function namesAgent({ names }: ProvableAgent, text: string): boolean {
  return names.includes(text) || (text.startsWith('eip155:') && names.includes(text.toLowerCase()))
}
