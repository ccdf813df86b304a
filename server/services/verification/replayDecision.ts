import { compileAllowlist } from '@svc/core/access/allowlist.ts'
import { compileApprovalRules } from '@svc/core/access/approvalRules.ts'
import { decideAnonymous } from '@svc/core/access/decideAnonymous.ts'
import { decideVerified } from '@svc/core/access/decideVerified.ts'
import {
  type AccessLevel,
  DECISION_VERSION,
  type Decision,
  type Recommendation,
} from '@svc/core/access/decision.ts'
import { denyUnknownAgent } from '@svc/core/access/outcomes.ts'
import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { apiError } from '../../errors.ts'
import type { DecisionContextStore } from '../../store/audit/auditExportStore.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'
import { type FindRecordDeps, findRecord, isParty } from '../audit/findRecord.ts'
import type { RecordedAgentFacts, RecordedInputs } from './buildVerificationRecord.ts'
import type { AgentContext, EndpointContext } from './decisionContext.ts'
import { assessApproval } from './stepUpApproval.ts'

export type ReplayDecisionDeps = FindRecordDeps & { contexts: Pick<DecisionContextStore, 'read'> }

type Outcome = {
  recommendation: Recommendation
  accessLevel: AccessLevel
  dimensions: readonly string[]
}

export type ReplayedDecision = {
  recordId: string
  /** Whether the same inputs gave the same outcome, and are the ones the log commits to. */
  reproduced: boolean
  /** Whether the kept inputs have the hash that the anchored entry holds. */
  inputsMatch: boolean
  recorded: Outcome
  replayed: Outcome & Pick<Decision, 'access' | 'recommendationReasons'>
}

/**
 * Makes a recorded decision again from what was kept of it, for its parties.
 *
 * Nothing of today is used: the facts come from the record, the rules from the versions its inputs name by hash, and
 * the inputs are committed to by the entry that the chain holds.
 *
 * @throws ApiError NOT_FOUND also for those who are no party; GONE when its inputs were archived; INVALID_STATE for a record that holds no decision, or one
 *   made by other rules of deciding than this version knows.
 * Source: verification.md "Decisions are reproducible".
 */
export async function replayDecision(
  deps: ReplayDecisionDeps,
  { recordId, actsFor }: { recordId: string; actsFor: ReadonlySet<string> },
): Promise<ReplayedDecision> {
  const record = await findRecord(deps, recordId)
  if (!isParty(record, actsFor)) throw apiError('NOT_FOUND')
  const inputs = inputsOf(record)
  const decision = await decideAgain(deps, inputs)
  const recorded = readOutcome(record)
  const dimensions = (decision.access.failures ?? []).map(({ dimension }) => dimension)
  const replayed = {
    recommendation: decision.recommendation,
    accessLevel: decision.access.accessLevel,
    dimensions,
    access: decision.access,
    recommendationReasons: decision.recommendationReasons,
  }
  const inputsMatch = hashInputs(record.inputsSalt, record.inputs) === entryOf(record).inputsHash
  return {
    recordId,
    reproduced: inputsMatch && isSameOutcome(recorded, replayed),
    inputsMatch,
    recorded,
    replayed,
  }
}

function inputsOf(record: AuditRecord): RecordedInputs {
  if (!record.eventType.startsWith('verification.')) {
    throw apiError('INVALID_STATE', { message: 'The record holds no decision.' })
  }
  if (record.inputs === '') {
    throw apiError('GONE', { message: 'What the decision was made from was archived by the operator.' })
  }
  const inputs = JSON.parse(record.inputs) as RecordedInputs
  if (inputs.decisionVersion === DECISION_VERSION) return inputs
  throw apiError('INVALID_STATE', { message: 'The decision was made by other rules of deciding.' })
}

async function decideAgain(
  { contexts }: ReplayDecisionDeps,
  inputs: RecordedInputs,
): Promise<Pick<Decision, 'recommendation' | 'access' | 'recommendationReasons'>> {
  const { request, endpoint } = inputs
  const hasCredentials = request.credentials !== undefined && request.credentials.length > 0
  if (request.agentId === undefined && !hasCredentials) {
    return decideAnonymous({ endpoint, platform: inputs.platform, registrationUrl: '', docsUrl: '' })
  }
  const facts = agentFactsOf(inputs)
  if (facts === null || inputs.contexts.agent === null) return denyUnknownAgent()
  const agentRules = await readContext<AgentContext>(contexts, inputs.contexts.agent)
  const endpointRules =
    inputs.contexts.endpoint === null
      ? { pdlss: {}, allowlist: [] }
      : await readContext<EndpointContext>(contexts, inputs.contexts.endpoint)
  return decideVerified({
    agent: {
      ...facts.agent,
      policy: compilePolicy(agentRules.pdlss, 'agent'),
      approvalRules: compileApprovalRules(agentRules.approvalRules),
    },
    endpoint: {
      ...endpoint,
      policy: compilePolicy(endpointRules.pdlss, 'endpoint'),
      allowlist: compileAllowlist(endpointRules.allowlist),
    },
    request,
    sharesOwner: facts.sharesOwner,
    counters: facts.counters,
    challenge: facts.challenge,
    approval: assessApproval(facts.approval, inputs.now),
    now: inputs.now,
  })
}

function agentFactsOf(inputs: RecordedInputs): RecordedAgentFacts | null {
  const { agent, sharesOwner = false, counters = {}, challenge = 'not_issued', approval = null } = inputs
  return agent ? { agent, sharesOwner, counters, challenge, approval } : null
}

async function readContext<Context>(
  contexts: Pick<DecisionContextStore, 'read'>,
  hash: string,
): Promise<Context> {
  const document = await contexts.read(hash)
  if (document === null) throw new Error(`the rules ${hash} of a recorded decision are not kept`)
  return JSON.parse(document) as Context
}

/** What the log says: decision and dimensions from the anchored entry, the level from the event beside it. */
function readOutcome(record: AuditRecord): Outcome {
  const { decision, dimensions } = entryOf(record)
  const { accessLevel } = JSON.parse(record.eventData) as { accessLevel: AccessLevel }
  if (decision === null) throw new Error(`record ${record.recordId}: it has no decision`)
  return { recommendation: decision, accessLevel, dimensions }
}

function entryOf(record: AuditRecord) {
  const parsed = parseAuditEntry(record.entry)
  if (!parsed.ok) throw new Error(`record ${record.recordId}: ${parsed.reason}`)
  return parsed.entry
}

function isSameOutcome(a: Outcome, b: Outcome): boolean {
  return (
    a.recommendation === b.recommendation &&
    a.accessLevel === b.accessLevel &&
    a.dimensions.join() === b.dimensions.join()
  )
}
