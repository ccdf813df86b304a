import type { Config } from '../config.ts'
import { createMandateVerifier } from '../external/mandates/createMandateVerifier.ts'
import { createPostJson, type TraceHeaders } from '../external/outbound/outboundHttp.ts'
import { createProofVerifier } from '../external/proofs/createProofVerifier.ts'
import { importProofKeys } from '../external/proofs/importProofKeys.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import type { BudgetRule, RateBudget } from '../middleware/rateBudget.ts'
import type { AccountCaches } from '../services/accounts/accountCaches.ts'
import type { RaiseAlert } from '../services/alerts/createRaiseAlert.ts'
import { type RecogniseForeignDeps, recogniseForeign } from '../services/foreign/recogniseForeign.ts'
import { isWithinBudget } from '../services/isWithinBudget.ts'
import { createKeepContext } from '../services/verification/createKeepContext.ts'
import { createVerificationCaches } from '../services/verification/createVerificationCaches.ts'
import { createLinkFailures } from '../services/verification/linkFailures.ts'
import { discoverEndpoint } from '../services/verification/parties/discoverEndpoint.ts'
import { warnUnregistered } from '../services/verification/parties/warnUnregistered.ts'
import { createSharedLimitWatch } from '../services/verification/probing/createSharedLimitWatch.ts'
import { warnOfProbing } from '../services/verification/probing/warnOfProbing.ts'
import { challengeAgent } from '../services/verification/proofs/challengeAgent.ts'
import type { RecordDecisionDeps } from '../services/verification/recordDecision.ts'
import { renewEarlyBehaviour } from '../services/verification/renewEarlyBehaviour.ts'
import type { ReplayDecisionDeps } from '../services/verification/replayDecision.ts'
import type { VerificationDeps } from '../services/verification/verificationDeps.ts'
import { createAdoptionStore } from '../store/agents/adoptionStore.ts'
import { createAgentKeyStore } from '../store/agents/agentKeyStore.ts'
import type { AgentStore } from '../store/agents/agentStore.ts'
import { createCredentialStore } from '../store/agents/credentialStore.ts'
import { createOwnerFactsStore } from '../store/agents/ownerFactsStore.ts'
import { createTokenStore } from '../store/agents/tokenStore.ts'
import { createApprovalStore } from '../store/approvals/approvalStore.ts'
import { createLimitAnswerStore } from '../store/approvals/limitAnswerStore.ts'
import { createSessionDecisionStore } from '../store/approvals/sessionDecisionStore.ts'
import { createDecisionContextStore } from '../store/audit/auditExportStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import { countCommittedRecords } from '../store/audit/pendingRecords.ts'
import type { Db } from '../store/database/database.ts'
import { createAllowlistStore } from '../store/endpoints/allowlistStore.ts'
import type { EndpointStore } from '../store/endpoints/endpointStore.ts'
import { createBehaviourStore } from '../store/feed/behaviourStore.ts'
import { createInterventionStore } from '../store/operator/interventionStore.ts'
import type { Recorder } from '../store/recorder/recorder.ts'
import { createOutboxStore } from '../store/relayer/outboxStore.ts'
import { logMissedSearches } from './logMissedSearches.ts'

/** Maximum number of compiled agents, and of compiled endpoints, in memory. */
const CACHED_MAX = 50_000
const CHALLENGE_TIMEOUT_MS = 3_000
const DAY_SECONDS = 24 * 60 * 60

/** Dry runs by others than the agent's owner, in a day. */
const DRY_RUNS = {
  ofAccount: { name: 'dry-runs', max: 5, windowSeconds: DAY_SECONDS },
  ofAgent: { name: 'dry-runs-of-agent', max: 20, windowSeconds: DAY_SECONDS },
  unnoticed: { name: 'unnoticed-dry-runs', max: 2, windowSeconds: DAY_SECONDS },
}
/** Runtime challenges of an agent for one counterparty, so that nobody can have an agent called at will. */
const CHALLENGES = { name: 'runtime-challenge', max: 6, windowSeconds: 60 }

export type ComposeVerificationDeps = {
  db: Db
  /**
   * Stores by-products of a request, such as a URL that nobody has registered. They are not effects of the request, so a
   * request that fails afterwards may be repeated under its Idempotency-Key.
   */
  unkeyedDb: Db
  config: Config
  recorder: Recorder
  agents: AgentStore
  endpoints: EndpointStore
  owners: AccountCaches['owners']
  catchUp: () => Promise<number>
  /** Calls a listener with the position of the feed whenever it changes. */
  onFeedAdvanced: (listener: (nextSeq: number) => void) => void
  identifyPlatform: VerificationDeps['identifyPlatform']
  /** Verifies signatures of accounts, and the service's own agent tokens. */
  proofs: Parameters<typeof createProofVerifier>[0]
  raiseAlert: RaiseAlert
  /** Creates a budget of this process, or across processes. */
  budgetOf(rule: BudgetRule): RateBudget
  /** Called when something awaits an owner’s decision. */
  onOwnerAsked: () => void
  measure: VerificationDeps['measure']
  answerTimeoutMs?: number | undefined
  receipts: VerificationDeps['receipts']
  foreign: Pick<RecogniseForeignDeps, 'reader' | 'endAdoption' | 'changeWallet'>
  ambient: {
    clock: () => number
    randomBytes: (length: number) => Uint8Array
    log: Logger
    traceHeaders?: TraceHeaders | undefined
  }
}

/** Composes verify-access: its caches, its requests to agents, and its records. */
export function composeVerification(deps: ComposeVerificationDeps) {
  const { db, unkeyedDb, config, recorder, agents, endpoints, answerTimeoutMs = CHALLENGE_TIMEOUT_MS } = deps
  const { clock, randomBytes, log } = deps.ambient
  const owners = createOwnerFactsStore(db.query)
  const interventions = createInterventionStore(db.query)
  const behaviour = createBehaviourStore(db.query)
  const contexts = createDecisionContextStore(db.query)
  const keepContext = createKeepContext(contexts)
  const caches = createVerificationCaches({
    agents,
    endpoints,
    allowlists: createAllowlistStore(db.query),
    agentKeys: createAgentKeyStore(db.query),
    importKeys: importProofKeys,
    tokens: createTokenStore(db.query),
    adoptions: createAdoptionStore(db.query),
    credentials: createCredentialStore(db.query),
    keepContext,
    owners,
    isSuspended: async (ownerId) => (await interventions.find(ownerId)) !== null,
    behaviourOf: behaviour.ofAgent,
    max: CACHED_MAX,
  })
  /** Called when the inputs of a trust score have changed for an account. */
  const onAccountChanged = async (userId: string): Promise<void> => {
    caches.onAdministratorsChanged()
    for (const svcId of await owners.agentsOf(userId)) caches.onAgentChanged(svcId)
  }
  const challengeDeps = {
    postJson: createPostJson({
      allowPrivate: config.allowPrivateNetwork,
      timeoutMs: answerTimeoutMs,
      traceHeaders: deps.ambient.traceHeaders,
    }),
    async onPassed(svcId: string, at: number) {
      await unkeyedDb.transaction((trx) => agents.markChallengePassed(trx, svcId, at))
      caches.onAgentChanged(svcId)
    },
    onFailed: (svcId: string, reason: unknown) =>
      log.info({ agentId: svcId, err: reason }, 'a runtime challenge failed'),
    clock,
    randomBytes,
  }
  const challenges = deps.budgetOf(CHALLENGES)
  const watching = {
    transaction: unkeyedDb.transaction,
    clock,
    onFailure: logMissedSearches(log),
  }
  const limitWatch = createSharedLimitWatch({
    ...watching,
    answers: createLimitAnswerStore(db.query, 'hard_limit'),
  })
  const approvalWatch = createSharedLimitWatch({
    ...watching,
    answers: createLimitAnswerStore(db.query, 'approval'),
    countsOnlyLower: true,
  })
  const watches = [limitWatch, approvalWatch]
  const reloadWatches = () => {
    for (const watch of watches) watch.reload()
  }
  reloadWatches()
  const verification = {
    recorder,
    agentBySvcId: caches.agentBySvcId,
    agentByCredential: caches.agentByCredential,
    foreign: recogniseForeign({ ...caches, ...deps.foreign }),
    resolve: {
      endpoints: caches.endpoints,
      async discover(input: Parameters<typeof discoverEndpoint>[1]) {
        const isStored = await discoverEndpoint({ db: unkeyedDb, endpoints, randomBytes }, input)
        if (isStored) caches.onEndpointDiscovered(input.url, input.ownerId)
        return isStored
      },
    },
    owners: deps.owners,
    challenge: (...asked: Parameters<VerificationDeps['challenge']>) =>
      challengeAgent(challengeDeps, ...asked),
    mayChallenge: (svcId: string, counterpartyId: string, now: number) =>
      isWithinBudget(challenges, `${svcId} ${counterpartyId}`, now),
    heldProof: createApprovalStore(db.query).heldProof,
    verifyProof: createProofVerifier(deps.proofs),
    onWrongProof: (agentId: string, fault: string) =>
      log.info({ agentId, fault }, 'a proof of identity is wrong'),
    verifyMandate: createMandateVerifier(),
    onWrongMandate: (agentId: string, fault: string) =>
      log.info({ agentId, fault }, 'a payment mandate does not cover its request'),
    identifyPlatform: deps.identifyPlatform,
    warnUnregistered: (...seen: Parameters<VerificationDeps['warnUnregistered']>) =>
      warnUnregistered(deps.raiseAlert, ...seen),
    dryRuns: {
      ofAccount: deps.budgetOf(DRY_RUNS.ofAccount),
      ofAgent: deps.budgetOf(DRY_RUNS.ofAgent),
      unnoticed: deps.budgetOf(DRY_RUNS.unnoticed),
    },
    limitWatch,
    approvalWatch,
    warnOfProbing: (probing: Parameters<VerificationDeps['warnOfProbing']>[0]) =>
      warnOfProbing(deps.raiseAlert, probing),
    onOwnerAsked: deps.onOwnerAsked,
    clock,
    settings: {
      appUrl: config.appUrl,
      publicUrl: config.publicUrl,
      approvalMs: config.approvalMinutes * 60_000,
      randomBytes,
    },
    linkFailures: createLinkFailures(config.publicUrl),
    measure: deps.measure,
    receipts: deps.receipts,
    // Stores the records of session decisions, and reads the inputs for replays.
    records: createAuditRecordStore(db.query),
    contexts,
    decisions: createSessionDecisionStore(),
    outbox: createOutboxStore(db.query),
    payers: createOwnerFactsStore(db.query),
    transaction: db.transaction,
    publishes: config.publishFeedback,
    randomBytes,
    catchUp: deps.catchUp,
  } satisfies VerificationDeps & RecordDecisionDeps & ReplayDecisionDeps
  const renew = renewEarlyBehaviour({
    logSize: () => countCommittedRecords(db.query),
    onBehaviourAged: caches.onBehaviourAged,
  })
  deps.onFeedAdvanced((nextSeq) => {
    renew(nextSeq).catch((err: unknown) => log.warn({ err }, 'the size of the log could not be read'))
  })
  return {
    /** The keys of the agent of a record, and the hosts of its endpoint; null if one of them is not stored. */
    async partiesOf({ agentId, endpointId }: { agentId: string | null; endpointId: string | null }) {
      if (agentId === null || endpointId === null) return null
      const [agent, endpoint] = await Promise.all([
        caches.agentBySvcId(agentId),
        caches.endpoints.byPublicId(endpointId),
      ])
      return agent && endpoint && { keys: agent.keys, authorities: endpoint.authorities }
    },
    onAgentChanged: caches.onAgentChanged,
    onEndpointChanged: caches.onEndpointChanged,
    onCredentialChanged: caches.onCredentialChanged,
    onBehaviourAged: caches.onBehaviourAged,
    /** Call when a process has denied an amount that an agent asked for. */
    onLimitDenied(agentId: string): void {
      for (const watch of watches) watch.onDenied(agentId)
    },
    /** Call when an owner has been suspended, or is no longer. */
    onStandingChanged: caches.onStandingChanged,
    /** Call when anything may have changed. */
    clear(): void {
      caches.clear()
      reloadWatches()
    },
    onAccountChanged,
    onAdministratorsChanged: caches.onAdministratorsChanged,
    /**
     * Call when an endpoint’s tier has changed: decisions use the tier, and the scores of its owner’s agents depend on
     * verified domains.
     */
    async onTierChanged(endpoint: { id: string; svceId: string | null; ownerId: string }): Promise<void> {
      caches.onEndpointChanged(endpoint)
      const userId = await owners.personBehind(endpoint.ownerId)
      if (userId !== null) await onAccountChanged(userId)
    },
    parts: verification,
  }
}
