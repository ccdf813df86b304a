import { type ApprovalRule, compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { findBoundaryExcess } from '@svc/core/pdlss/findBoundaryExcess.ts'
import { inheritBoundary } from '@svc/core/pdlss/inheritBoundary.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import { apiError, validationError } from '../../../errors.ts'
import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { LineageStore } from '../../../store/agents/lineageStore.ts'
import { agentStatusOf } from '../agentStatusOf.ts'
import type { AgentRegistration } from './agentRegistration.ts'

type Trx = Parameters<AgentStore['insert']>[0]

export type PlaceSubAgentDeps = {
  agents: Pick<AgentStore, 'bySvcId'>
  lineage: Pick<LineageStore, 'ancestorsOf' | 'countLiving'>
}

export type PlaceSubAgentInput = {
  parentAgentId: string
  ownerId: string
  registration: Pick<AgentRegistration, 'pdlss'>
  isApproved?: boolean
}

/** What a sub-agent inherits from its ancestors. */
export type SubAgentPlace = {
  pdlss: Pdlss
  approvalRules: readonly ApprovalRule[]
  /** Identifiers, closest ancestor first. */
  ancestors: string[]
}

/** Maximum number of agents below one root that are not retired: retiring the root retires them all in one transaction. */
const TREE_MAX = 1_000

/**
 * Places a sub-agent below its parent, or rejects it.
 *
 * Every ancestor's rules apply to all its descendants, so that nesting cannot evade a cap. The boundary lies within the
 * parent's, which lies within its own parent's. The check runs in the transaction that stores the sub-agent; transactions
 * run one at a time across all processes, so the counts are exact. The sub-agent inherits its parent's approval rules,
 * because a boundary cannot express them. What its ancestors require of requests is not copied: it applies whenever the
 * sub-agent is loaded (`findInheritedRequirements`).
 *
 * @throws ApiError VALIDATION_ERROR for a parent that is not an agent of this owner, and at each field of the boundary that
 * exceeds the parent's; INVALID_STATE if the parent or one of its ancestors is not active; SUB_AGENT_REFUSED. Source:
 * `Spec: PDLSS object`, selfInstantiation.
 */
export async function placeSubAgent(
  deps: PlaceSubAgentDeps,
  trx: Trx,
  { parentAgentId, ownerId, registration, isApproved = false }: PlaceSubAgentInput,
): Promise<SubAgentPlace> {
  const parent = await deps.agents.bySvcId(parentAgentId, trx)
  if (parent?.ownerId !== ownerId) throw unknownParent()
  if (agentStatusOf(parent) !== 'active') {
    throw apiError('INVALID_STATE', { message: 'The parent is not active.' })
  }
  const above = await deps.lineage.ancestorsOf(parentAgentId, trx)
  const ancestors = [parentAgentId, ...above.map(({ svcId }) => svcId)]
  for (const [level, svcId] of ancestors.entries()) {
    const ancestor = level === 0 ? parent : await deps.agents.bySvcId(svcId, trx)
    const existing = await deps.lineage.countLiving(svcId, trx)
    if (!ancestor || existing >= TREE_MAX || refuses(ancestor, level + 1, existing)) throw refuse('refused')
    if (!isApproved && asksOwner(ancestor, registration.pdlss)) throw refuse('approval_required')
  }
  const { selfInstantiation } = parent.pdlss
  const own = registration.pdlss
  const pdlss = selfInstantiation?.inheritPermissions === true ? inheritBoundary(own, parent.pdlss) : own
  const beyond = findBoundaryExcess(pdlss, parent.pdlss)
  if (beyond.length > 0) throw validationError(beyond)
  return { pdlss, approvalRules: parent.approvalRules, ancestors }
}

function refuses(ancestor: AgentRow, depth: number, existing: number): boolean {
  // Purposes are compared with the rest of the boundary.
  return compilePolicy(ancestor.pdlss, 'agent').selfInstantiation.refuses(
    { purpose: undefined, depth },
    existing,
  )
}

/** A sub-agent without a list of purposes has every purpose, including those of any rule. */
function asksOwner({ pdlss, approvalRules }: AgentRow, child: Pdlss): boolean {
  if (pdlss.selfInstantiation?.requireApproval === true) return true
  const purposes = (child.purpose?.categories ?? []).map((name) => name.toLowerCase())
  if (purposes.length === 0) return approvalRules.some(({ dimension }) => dimension === 'selfInstantiation')
  return purposes.some(compileApprovalRules(approvalRules).asksAboutSelfInstantiation)
}

function unknownParent() {
  const message = 'is not an agent of this owner'
  return validationError([{ pointer: '/parentAgentId', code: 'unknown_parent', message }])
}

/** Names neither the ancestor nor the rule: an agent that signs its own registrations must not learn its limits. */
function refuse(code: 'refused' | 'approval_required') {
  const message =
    code === 'refused'
      ? 'the boundary of the parent does not allow it'
      : 'the owner has to approve it: register it by API key'
  return apiError('SUB_AGENT_REFUSED', { errors: [{ pointer: '/parentAgentId', code, message }] })
}
