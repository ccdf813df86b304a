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
import type { EndpointFacts } from '@svc/core/access/facts.ts'
import { nameProofCause } from '@svc/core/access/nameProofCause.ts'
import { denyUnknownAgent } from '@svc/core/access/outcomes.ts'
import { parseAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { hashInputs } from '@svc/core/audit/hashInputs.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { type ApiError, apiError } from '../../errors.ts'
import type { DecisionContextStore } from '../../store/audit/auditExportStore.ts'
import type { AuditRecord } from '../../store/audit/auditRecordStore.ts'
import { type FindRecordDeps, findRecord, isParty } from '../audit/findRecord.ts'
import type { RecordedAgentFacts, RecordedInputs } from './buildVerificationRecord.ts'
import type { AgentContext, EndpointContext } from './decisionContext.ts'
import type { LinkFailures } from './linkFailures.ts'
import { assessApproval } from './stepUpApproval.ts'

export type ReplayDecisionDeps = FindRecordDeps & {
  contexts: Pick<DecisionContextStore, 'read'>
  linkFailures: LinkFailures
}

type Outcome = {
  recommendation: Recommendation
  accessLevel: AccessLevel
  dimensions: readonly string[]
}

export type ReplayedDecision = {
  recordId: string
  /** Whether the inputs match the log and lead to the same outcome. */
  reproduced: boolean
  /** Whether the stored inputs have the hash in the anchored entry, and the stored rules those in the inputs. */
  inputsMatch: boolean
  recorded: Outcome
  replayed: Outcome & Pick<Decision, 'access' | 'recommendationReasons'>
}

/**
 * Repeats a recorded decision from its stored inputs, for its parties.
 *
 * Nothing current is used: facts come from the record, boundaries from the versions that its inputs name by hash, and the
 * entry on the chain commits to the inputs.
 *
 * @throws ApiError NOT_FOUND also for callers that are not a party; GONE if the inputs were archived; INVALID_STATE for a
 * record without a decision, one decided by rules that this version does not know, or one from whose altered inputs or
 * rules no decision can be made.
 */
export async function replayDecision(
  deps: ReplayDecisionDeps,
  { recordId, actsFor }: { recordId: string; actsFor: ReadonlySet<string> },
): Promise<ReplayedDecision> {
  const record = await findRecord(deps, recordId)
  if (!isParty(record, actsFor)) throw apiError('NOT_FOUND')
  const inputs = inputsOf(record)
  const rules = await readRules(deps.contexts, inputs)
  const inputsMatch =
    hashInputs(record.inputsSalt, record.inputs) === entryOf(record).inputsHash && areUnchanged(rules, inputs)
  const decision = inputsMatch ? decideAgain(rules, inputs) : decideFromAltered(rules, inputs)
  const recorded = readOutcome(record)
  const dimensions = (decision.access.failures ?? []).map(({ dimension }) => dimension)
  const replayed = {
    recommendation: decision.recommendation,
    accessLevel: decision.access.accessLevel,
    dimensions,
    access: deps.linkFailures(decision.access),
    recommendationReasons: decision.recommendationReasons,
  }
  return {
    recordId,
    reproduced: inputsMatch && isSameOutcome(recorded, replayed),
    inputsMatch,
    recorded,
    replayed,
  }
}

function inputsOf(record: AuditRecord): RecordedInputs {
  if (entryOf(record).decision === null) {
    throw apiError('INVALID_STATE', { message: 'The record contains no decision.' })
  }
  if (record.inputs === '') {
    throw apiError('GONE', { message: 'The inputs of the decision were archived, erased or removed.' })
  }
  const inputs = parseInputs(record.inputs)
  if (inputs.decisionVersion <= DECISION_VERSION) return inputs
  throw apiError('INVALID_STATE', { message: 'The decision was made under another version of the rules.' })
}

/** Inputs that are not an object, or name no rules, are not what was recorded. */
function parseInputs(text: string): RecordedInputs {
  let inputs: Partial<RecordedInputs> | null
  try {
    inputs = JSON.parse(text)
  } catch (error) {
    throw undecidable(error)
  }
  if (!inputs?.contexts) throw undecidable()
  return inputs as RecordedInputs
}

function undecidable(cause?: unknown): ApiError {
  return apiError('INVALID_STATE', {
    message: 'The stored inputs or rules are not the recorded ones, and no decision can be made from them.',
    cause,
  })
}

/** Like `decideAgain`, but of altered inputs or rules any part may be missing. */
function decideFromAltered(rules: StoredRules, inputs: RecordedInputs): ReturnType<typeof decideAgain> {
  try {
    return decideAgain(rules, inputs)
  } catch (error) {
    throw undecidable(error)
  }
}

function decideAgain(
  rules: StoredRules,
  inputs: RecordedInputs,
): Pick<Decision, 'recommendation' | 'access' | 'recommendationReasons'> {
  const { request, decisionVersion: version, counters = {}, now, platform } = inputs
  const hasCredentials = request.credentials !== undefined && request.credentials.length > 0
  if (request.agentId === undefined && !hasCredentials) {
    const endpoint = endpointOf(rules, inputs)
    const urls = { registrationUrl: '', docsUrl: '' }
    return decideAnonymous({ endpoint, request, counters, now, platform, version, ...urls })
  }
  const facts = agentFactsOf(inputs)
  if (facts === null || inputs.contexts.agent === null) {
    return denyUnknownAgent(inputs.hasTokenFault ? {} : request)
  }
  const agentRules = parseRules<AgentContext>(rules.agent, inputs.contexts.agent)
  const decision = decideVerified({
    agent: {
      ...facts.agent,
      policy: compilePolicy(agentRules.pdlss, 'agent', version),
      approvalRules: compileApprovalRules(agentRules.approvalRules, version),
      ancestorMaxTransactionsPerHour: agentRules.ancestorMaxTransactionsPerHour,
      minIdentityProof: agentRules.minIdentityProof,
      requiredFacts: agentRules.requiredFacts,
    },
    endpoint: endpointOf(rules, inputs),
    request,
    sharesOwner: facts.sharesOwner,
    counters: facts.counters,
    challenge: facts.challenge,
    proof: facts.proof,
    mandate: facts.mandate,
    approval: assessApproval(facts.approval, now),
    standingApproval: facts.standingApproval,
    isForeignDryRun: facts.isForeignDryRun,
    now,
    version,
  })
  return nameProofCause(decision, facts.proof)
}

function endpointOf(
  stored: StoredRules,
  { endpoint, contexts: { endpoint: hash }, decisionVersion: version }: RecordedInputs,
): EndpointFacts {
  const rules: EndpointContext =
    hash === null ? { pdlss: {}, allowlist: [] } : parseRules<EndpointContext>(stored.endpoint, hash)
  return {
    ...endpoint,
    policy: compilePolicy(rules.pdlss, 'endpoint', version),
    allowlist: compileAllowlist(rules.allowlist),
    requiredFacts: rules.requiredFacts,
    minIdentityProof: rules.minIdentityProof,
  }
}

/** The rules that the inputs name, as they are stored; null if there are none. */
type StoredRules = { agent: string | null; endpoint: string | null }

async function readRules(
  contexts: Pick<DecisionContextStore, 'read'>,
  { contexts: { agent, endpoint } }: RecordedInputs,
): Promise<StoredRules> {
  const read = async (hash: string | null) => (hash === null ? null : contexts.read(hash))
  return { agent: await read(agent), endpoint: await read(endpoint) }
}

/** Whether the stored rules, which are rows of the database, too, have the hashes in the inputs. */
function areUnchanged(rules: StoredRules, { contexts }: RecordedInputs): boolean {
  const isUnchanged = (document: string | null, hash: string | null) =>
    document === null || sha256Hex(document) === hash
  return isUnchanged(rules.agent, contexts.agent) && isUnchanged(rules.endpoint, contexts.endpoint)
}

function agentFactsOf(inputs: RecordedInputs): RecordedAgentFacts | null {
  const {
    agent,
    sharesOwner = false,
    counters = {},
    challenge = 'not_issued',
    approval = null,
    standingApproval,
    proof,
    mandate,
    isForeignDryRun,
  } = inputs
  if (!agent) return null
  const circumstances = { sharesOwner, counters, challenge, approval, standingApproval, isForeignDryRun }
  return { agent, ...circumstances, proof, mandate }
}

function parseRules<Context>(document: string | null, hash: string): Context {
  if (document === null) throw new Error(`the rules ${hash} of a recorded decision are not stored`)
  return JSON.parse(document) as Context
}

/** Reads the recorded outcome: decision and dimensions from the anchored entry, the access level from the event. */
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
