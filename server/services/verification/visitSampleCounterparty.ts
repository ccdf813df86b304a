import { proofFailureOf } from '@svc/core/access/nameProofCause.ts'
import { parseRequestFields } from '@svc/core/access/verificationRequest.ts'
import type { ResultOf } from '@svc/core/contract/operations.ts'
import { compilePolicy } from '@svc/core/pdlss/compilePolicy.ts'
import { apiError, validationError } from '../../errors.ts'
import type { CheckedProof } from '../../external/proofs/createProofVerifier.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { SAMPLE_OWNER_ID } from './parties/relateOwners.ts'
import type { VerifiableEndpoint } from './parties/verifiableEndpoint.ts'
import { causeOfFault } from './proofs/causeOfFault.ts'
import type { VerificationDeps } from './verificationDeps.ts'
import { verifyRegistered } from './verifyRegistered.ts'

/** Where the service itself plays a counterparty. */
const SAMPLE_PATH = '/api/sample-counterparty'

export type VisitSampleCounterpartyDeps = Omit<VerificationDeps, 'settings'> & {
  settings: VerificationDeps['settings'] & { publicUrl: string; appUrl: string }
}

/** A request to the sample counterparty, with what its signature may cover. */
export type VisitSampleCounterpartyInput = {
  agentId: string
  purpose: string
  host: string
  signature: string
  signatureInput: string
  /** Headers by lower-case name. */
  headers: Readonly<Record<string, string>>
  now: number
  waitForHost: WaitForHost
}

/** The outcome for the agent, as any counterparty could tell it. */
export type SampleVisit = Omit<ResultOf<'GET /api/sample-counterparty'>, 'message'>

/**
 * Decides on a request to the sample counterparty, with which an agent tries out its key where no counterparty has been
 * registered yet. It is a real decision, with its event and its audit record.
 *
 * Only requests that a key of the agent has signed get that far: anybody can call this without an account, and must not
 * learn the limits of an agent, use them up, or fill its activity. The outcome says nothing of the agent's behaviour.
 *
 * @throws ApiError VALIDATION_ERROR, invalid_signature if the request proves nothing; as `WaitForHost`. Source:
 * docs/decisions/0098.
 */
export async function visitSampleCounterparty(
  deps: VisitSampleCounterpartyDeps,
  input: VisitSampleCounterpartyInput,
): Promise<SampleVisit> {
  const { agentId, purpose, host, signature, signatureInput, headers, now, waitForHost } = input
  const { publicUrl, appUrl } = deps.settings
  const targetUri = `${new URL(publicUrl).protocol}//${host}${SAMPLE_PATH}`
  const callerMetadata = { ...headers, host, signature, signatureInput, method: 'GET', targetUri }
  const parsed = parseRequestFields({ agentId, purpose, callerMetadata })
  if (!parsed.ok) throw validationError(parsed.errors)
  const { request } = parsed
  const endpoint = buildSampleEndpoint(publicUrl, appUrl)
  const known = await deps.agentBySvcId(agentId)
  const confirmed = known?.adopted ? await deps.foreign.confirm(known, now) : known
  const agent = typeof confirmed === 'string' ? null : confirmed
  const proof = agent && (await deps.verifyProof({ agent, audience: endpoint, request, now }))
  if (!agent || !proof || !provesAgent(proof)) {
    const detail = proof?.fault ?? 'no such agent, or no signature for it, or an old one'
    throw apiError('invalid_signature', { message: describeFault(proof), detail })
  }
  const resolved = { endpoint, blockedReason: null }
  const named = { principal: SAMPLE_PRINCIPAL, request, resolved, agent, now, waitForHost }
  const answer = await verifyRegistered(deps, named)
  const { recommendation, identityProof, access, auditRecordId = null } = answer
  return { recommendation, identityProof, failures: access.failures ?? [], auditRecordId }
}

/** Says why, as a counterparty is told. */
function describeFault(proof: CheckedProof | null): string {
  const sentence = 'The signature does not prove this agent.'
  if (proof === null) return sentence
  const isExpired = proof.fault === null && holdsExpired(proof)
  const cause = proof.fault === null ? undefined : causeOfFault(proof.fault)
  if (cause === undefined && !isExpired) return sentence
  const { message, guidance } = proofFailureOf(cause ?? 'expired')
  return `${sentence} ${message} ${guidance}`
}

function provesAgent(proof: CheckedProof): boolean {
  return proof.fault === null && proof.grade === 'signature' && !holdsExpired(proof)
}

function holdsExpired({ uses, token }: CheckedProof): boolean {
  return uses.some(({ hasExpired }) => hasExpired) || token?.hasExpired === true
}

const NO_RULES = compilePolicy({}, 'endpoint')

/** It is not stored: nothing about it can change, and it needs no account. */
function buildSampleEndpoint(publicUrl: string, appUrl: string): VerifiableEndpoint {
  const { host, hostname } = new URL(publicUrl)
  return {
    id: null,
    svceId: null,
    ownerId: SAMPLE_OWNER_ID,
    name: 'Sample counterparty',
    counterpartyType: 'api',
    url: `${publicUrl}${SAMPLE_PATH}`,
    pdlssHash: null,
    contextHash: null,
    hostOwnerId: null,
    authorities: [host, new URL(appUrl).host],
    includeReceipt: false,
    facts: {
      status: 'active',
      tier: 'self_asserted',
      trustScoreRequirement: 0,
      unverifiedAgentPolicy: 'deny',
      allowlist: undefined,
      policy: NO_RULES,
      host: hostname,
    },
  }
}

const NOBODY: ReadonlySet<string> = new Set()

/** Whoever decides there: no API key, and no account. */
const SAMPLE_PRINCIPAL: ApiKeyPrincipal = {
  kind: 'apiKey',
  keyId: 'sample-counterparty',
  userId: SAMPLE_OWNER_ID,
  personId: SAMPLE_OWNER_ID,
  developerId: SAMPLE_OWNER_ID,
  organizationId: null,
  actsFor: new Set([SAMPLE_OWNER_ID]),
  writesFor: NOBODY,
  suspendedOrganizations: NOBODY,
}
