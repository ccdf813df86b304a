/** What is known of where an agent comes from: how it was registered and how completely it is described. */
export type OriginFacts = {
  /** Registered by its key's signature, or approved by its owner with a passkey. */
  isVouchedFor: boolean
  model?: { modelName?: string; modelProvider?: string; modelType?: string } | undefined
  framework?: { frameworkName?: string; frameworkVersion?: string } | undefined
  hasDescription: boolean
  hasAgentType: boolean
  hasProtocols: boolean
  hasChallengeUrl: boolean
  /** How many of the five dimensions of its boundary are declared. */
  declaredDimensions: number
  hasOnChainIdentity: boolean
  certificationCount: number
}

/** What is known of the account that owns an agent. */
export type OwnerFacts = {
  hasVerifiedEmail: boolean
  /** Know-your-developer: passport and selfie were reviewed. */
  hasVerifiedIdentity: boolean
  /** Belongs to an organisation with a proven domain. */
  hasProvenDomain: boolean
  hasSecondFactor: boolean
}

/**
 * What an agent did, as sums that lose half their weight every 30 days.
 *
 * Sums decay alike, so two numbers and the instant they hold at stand for the whole history. Sums of parts decay with them.
 */
export type ActivityFacts = {
  grants: number
  /** Denials by its own mandate and failed challenges. */
  violations: number
  /** Epoch milliseconds at which the sums hold. */
  at: number
  /** Their parts by who reported them, most recent first; no more than are told apart. */
  sources: readonly ActivitySource[]
}

/** What the endpoints of one owner have added to an agent's history. */
export type ActivitySource = {
  /** `SVCD-` or `SVCO-` of the owner. */
  id: string
  grants: number
  violations: number
}

/** Everything a trust score is made from. */
export type TrustFacts = {
  origin: OriginFacts
  owner: OwnerFacts
  /** Absent for an agent that has not done anything yet. */
  activity?: ActivityFacts | undefined
}
