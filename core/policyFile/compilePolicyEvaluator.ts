import { type AllowlistEntry, compileAllowlist } from '../access/allowlist.ts'
import { type ApprovalRule, compileApprovalRules, DEFAULT_APPROVAL_RULES } from '../access/approvalRules.ts'
import type { Counters } from '../access/counters.ts'
import { decideAnonymous } from '../access/decideAnonymous.ts'
import { decideVerified } from '../access/decideVerified.ts'
import type { Access, AccessFailure, Recommendation } from '../access/decision.ts'
import type { AgentFacts, EndpointFacts, EndpointTier, FoundApproval } from '../access/facts.ts'
import { warnOfMisspelt } from '../access/findMisspeltMembers.ts'
import type { IdentityProof } from '../access/identityProof.ts'
import { denyUnknownAgent } from '../access/outcomes.ts'
import type { VerificationRequest } from '../access/verificationRequest.ts'
import { compilePolicy } from '../pdlss/compilePolicy.ts'
import { parseUrl } from '../url/url.ts'
import type { PolicyFile } from './policyFile.ts'

/**
 * State that only a server has. Missing facts are not checked.
 *
 * They are those of a decision, written out: users of the client library need none of the other types of one.
 */
export type EvaluationFacts = {
  /** Caller and endpoint belong to the same account or organisation. */
  sharesOwner?: boolean
  counters?: Counters
  challenge?: 'passed' | 'failed' | 'withheld' | 'not_issued'
  approval?: FoundApproval | null
  agent?: {
    ownerIdentifiers?: readonly string[]
    status?: string
    trustScore?: number
    certifications?: readonly string[]
    /** The higher hourly caps of the ancestors from which it inherits its boundary; see `counters`. */
    ancestorMaxTransactionsPerHour?: readonly number[]
    /** Default: spend between the agent's limits needs the owner's approval. */
    approvalRules?: readonly ApprovalRule[]
  }
  endpoint?: {
    status?: 'active' | 'deactivated' | 'archived'
    tier?: EndpointTier | undefined
    trustScoreRequirement?: number
    /** Refuses requests that name no agent; the evaluator does not see what the others prove. */
    minIdentityProof?: IdentityProof
    /** Host in URL form. */
    host?: string | undefined
    /** The merchant accounts known to belong to the endpoint. */
    merchantIds?: readonly string[] | undefined
    allowlist?: readonly AllowlistEntry[]
  }
}

/** The result of the local evaluator: the same recommendation, access and dimensions as the service. */
export type Evaluation = {
  recommendation: Recommendation
  access: Access
  failures: readonly AccessFailure[]
  /** Members of the request that were ignored although they look like known ones, as in an answer of the service. */
  warnings?: readonly string[]
}

type Outcome = { recommendation: Recommendation; access: Access }

const NO_FAILURES: readonly AccessFailure[] = []
const NO_COUNTERS: Counters = {}

/**
 * Compiles a policy file into a function of a request, `now` (epoch milliseconds) and the known facts.
 *
 * A request without `agentId` comes from the file's own agent or, if the file states an unverifiedAgentPolicy, from an
 * anonymous caller. A file without any boundary decides by `defaults.decision`, whose default is `deny`. A missing boundary
 * is not checked.
 */
export function compilePolicyEvaluator(
  file: PolicyFile,
): (request: VerificationRequest, now: number, facts?: EvaluationFacts) => Evaluation {
  const agent = agentOf(file)
  const endpoint = endpointOf(file)
  const agentId = file.agent?.id
  const namesCounterparties = (file.pdlss?.scope?.counterparties ?? []).length > 0
  const hasRules = file.pdlss !== undefined || file.endpoint?.pdlss !== undefined
  const isGrantedByDefault = hasRules || file.defaults?.decision === 'grant'
  return (request, now, facts) => {
    if (request.agentId === undefined && file.unverifiedAgentPolicy !== undefined) {
      const known = mergeEndpointFacts(endpoint, facts)
      const counters = facts?.counters ?? NO_COUNTERS
      return evaluationOf(decideAnonymous({ endpoint: known, request, counters, now, ...NO_URLS }), request)
    }
    const isOtherAgent = agentId !== undefined && request.agentId !== undefined && request.agentId !== agentId
    if (isOtherAgent || !isGrantedByDefault) return evaluationOf(denyUnknownAgent(), request)
    const known = facts === undefined ? endpoint : mergeEndpointFacts(endpoint, facts)
    return evaluationOf(
      decideVerified({
        agent: facts === undefined ? agent : mergeAgentFacts(agent, facts),
        endpoint: namesCounterparties ? fillHost(known, request.counterpartyUrl) : known,
        request,
        sharesOwner: facts?.sharesOwner ?? false,
        counters: facts?.counters ?? NO_COUNTERS,
        challenge: facts?.challenge ?? 'not_issued',
        approval: facts?.approval ?? null,
        now,
      }),
      request,
    )
  }
}

const NO_URLS = { registrationUrl: '', docsUrl: '' }

function evaluationOf({ recommendation, access }: Outcome, { misspelt }: VerificationRequest): Evaluation {
  const evaluation = { recommendation, access, failures: access.failures ?? NO_FAILURES }
  const warnings = warnOfMisspelt(misspelt)
  return warnings === undefined ? evaluation : { ...evaluation, warnings }
}

function agentOf(file: PolicyFile): AgentFacts {
  return {
    svcId: file.agent?.id ?? '',
    ownerIdentifiers: [],
    status: 'active',
    trustScore: undefined,
    certifications: undefined,
    policy: compilePolicy(file.pdlss ?? { selfInstantiation: { allowed: true } }, 'agent'),
    approvalRules: compileApprovalRules(DEFAULT_APPROVAL_RULES),
  }
}

function endpointOf(file: PolicyFile): EndpointFacts {
  return {
    status: 'active',
    tier: undefined,
    trustScoreRequirement: 0,
    unverifiedAgentPolicy: file.unverifiedAgentPolicy ?? 'deny',
    policy: compilePolicy(file.endpoint?.pdlss ?? {}, 'endpoint'),
    allowlist: undefined,
    host: undefined,
  }
}

function mergeAgentFacts(agent: AgentFacts, facts: EvaluationFacts): AgentFacts {
  const { approvalRules, ...known } = facts.agent ?? {}
  const rules = approvalRules === undefined ? agent.approvalRules : compileApprovalRules(approvalRules)
  return { ...agent, ...known, approvalRules: rules }
}

function mergeEndpointFacts(endpoint: EndpointFacts, facts: EvaluationFacts | undefined): EndpointFacts {
  const { allowlist, ...known } = facts?.endpoint ?? {}
  return { ...endpoint, ...known, allowlist: compileAllowlist(allowlist ?? []) }
}

function fillHost(endpoint: EndpointFacts, counterpartyUrl: string | undefined): EndpointFacts {
  if (endpoint.host !== undefined || counterpartyUrl === undefined) return endpoint
  return { ...endpoint, host: parseUrl(counterpartyUrl)?.hostname ?? '' }
}
