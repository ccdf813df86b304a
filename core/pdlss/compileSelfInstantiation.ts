import type { CompiledPurpose } from './compilePurpose.ts'
import type { Pdlss, PdlssSide } from './pdlss.ts'

/** The self-instantiation dimension of a boundary. */
export type CompiledSelfInstantiation = {
  /** `purpose` is in lower case. `existing` is the number of sub-agents granted so far; undefined when not counted. */
  refuses: (subAgent: { purpose: string | undefined; depth: number }, existing: number | undefined) => boolean
  requiresApproval: boolean
  maxSubAgents: number | undefined
}

/**
 * Compiles the self-instantiation dimension.
 *
 * An agent may create sub-agents only if its boundary allows it; an endpoint allows them unless its boundary says otherwise.
 * If purposes are listed, the request must state one of them. A sub-agent that inherits the boundary may not have a purpose
 * outside it.
 */
export function compileSelfInstantiation(
  selfInstantiation: Pdlss['selfInstantiation'],
  side: PdlssSide,
  purpose: CompiledPurpose,
): CompiledSelfInstantiation {
  const isAllowed = selfInstantiation?.allowed ?? side === 'endpoint'
  const maxSubAgents = selfInstantiation?.maxSubAgents
  const depthMax = selfInstantiation?.maxDepth ?? Number.POSITIVE_INFINITY
  const purposes = new Set(
    (selfInstantiation?.allowedSubAgentPurposes ?? []).map((name) => name.toLowerCase()),
  )
  const inherits = selfInstantiation?.inheritPermissions === true
  return {
    refuses: (subAgent, existing) =>
      !isAllowed ||
      subAgent.depth > depthMax ||
      (maxSubAgents !== undefined && (existing ?? 0) >= maxSubAgents) ||
      (purposes.size > 0 && !(subAgent.purpose !== undefined && purposes.has(subAgent.purpose))) ||
      (inherits && refusesPurpose(purpose, subAgent.purpose)),
    requiresApproval: selfInstantiation?.requireApproval === true,
    maxSubAgents,
  }
}

function refusesPurpose(boundary: CompiledPurpose, purpose: string | undefined): boolean {
  if (purpose === undefined) return false
  return boundary.refusesCategory({ category: purpose, action: undefined, qualifiedAction: undefined })
}
