import type { Config } from '../config.ts'
import { createConsentVerifier } from '../external/consentVerifier.ts'
import { createCardSigner } from '../external/keys/cardSigner.ts'
import { createPerKey, type KeyRing } from '../external/keys/keyRing.ts'
import { openSecretBoxes, type SecretsConfig } from '../external/keys/openSecretBoxes.ts'
import { verifyKeyProof } from '../external/proofs/verifyKeyProof.ts'
import { createRegistrationFiles } from '../external/registrationFiles.ts'
import type { VerifyContractSignature } from '../external/signatureVerifier.ts'
import type { Logger } from '../external/telemetry/logger.ts'
import type { AgentTokens } from '../external/tokens/agentTokens.ts'
import { assessAgent } from '../services/agents/assessAgent.ts'
import type { RegistrationBudgets, StoreNewAgentDeps } from '../services/agents/registration/registerAgent.ts'
import {
  type RegisterForAccountInput,
  registerForAccount,
} from '../services/agents/registration/registerForAccount.ts'
import { createRefreshFiles } from '../services/agents/registrationFile/createRefreshFiles.ts'
import { createPublishRegistrationFile } from '../services/agents/registrationFile/publishRegistrationFile.ts'
import type { ChainIdentities } from '../services/agents/token/chainIdentities.ts'
import type { ChainTokens } from '../services/agents/token/chainTokens.ts'
import { confirmIdentity } from '../services/agents/token/confirmIdentity.ts'
import { createRefreshToken } from '../services/agents/token/refreshToken.ts'
import { syncTokenUri } from '../services/agents/token/syncTokenUri.ts'
import { createTokenUriOf } from '../services/agents/token/tokenUriOf.ts'
import type { RaiseAlert } from '../services/alerts/createRaiseAlert.ts'
import type { RegistrySettings } from '../services/registrySettings.ts'
import { createOrganizationStore } from '../store/accounts/organizationStore.ts'
import { createUserStore } from '../store/accounts/userStore.ts'
import { createAgentKeyStore } from '../store/agents/agentKeyStore.ts'
import { type AgentRow, type AgentStore, createAgentStore } from '../store/agents/agentStore.ts'
import { createDirectoryStore } from '../store/agents/directoryStore.ts'
import { createIpfsFileStore } from '../store/agents/ipfsFileStore.ts'
import { createLineageStore } from '../store/agents/lineageStore.ts'
import { createOwnerFactsStore } from '../store/agents/ownerFactsStore.ts'
import { createTokenStore } from '../store/agents/tokenStore.ts'
import { createAlertStore } from '../store/approvals/alertStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import type { Db } from '../store/database/database.ts'
import { createAllowlistStore } from '../store/endpoints/allowlistStore.ts'
import { createEndpointStore, type EndpointStore } from '../store/endpoints/endpointStore.ts'
import { createBehaviourStore } from '../store/feed/behaviourStore.ts'
import { createInterventionStore } from '../store/operator/interventionStore.ts'
import { createReceiptStore } from '../store/receipts/receiptStore.ts'
import { createUsedProofStore } from '../store/recorder/usedProofStore.ts'
import { createOutboxStore } from '../store/relayer/outboxStore.ts'
import { createRoundsWorker } from '../workers/roundsWorker.ts'
import { createWriteAs } from './createWriteAs.ts'

/** How often it is checked whether the registration files have to be searched. */
const FILES_PAUSE_MS = 600_000
/** Pause between rounds of a search: a million files take less than an hour. */
const FILES_BREATH_MS = 100

export type ComposeRegistryDeps = {
  db: Db
  config: Pick<
    Config,
    'dataDir' | 'registrationFilesDir' | 'publicUrl' | 'allowPrivateNetwork' | 'ipfsApiUrl'
  > &
    SecretsConfig
  ambient: {
    clock: () => number
    randomBytes: (length: number) => Uint8Array
    log: Pick<Logger, 'error'>
  }
  ensureWalletAccount: StoreNewAgentDeps['ensureOwner']
  budgets: RegistrationBudgets
  agentTokens: AgentTokens
  /** Sign agent cards. */
  cardKeys: KeyRing
  chain: {
    overview(): Promise<{ chainId: number; contracts: { identityRegistry: string } }>
    ownerNonce: ChainIdentities['ownerNonce']
    /** Null without a chain; then only keys sign requests. */
    verifyContractSignature: VerifyContractSignature | null
    tokens: ChainTokens
  }
  raiseAlert: RaiseAlert
  /** Caches of agents and endpoints, which are notified after the commit of each change and before the response. */
  caches: {
    onAgentChanged(svcId: string): void
    onEndpointChanged(endpoint: { id: string; svceId: string | null }): void
    onTierChanged(endpoint: { id: string; svceId: string | null; ownerId: string }): Promise<void>
  }
}

export type ComposedRegistry = {
  parts: Parts
  stores: { agents: AgentStore; endpoints: EndpointStore }
  /** Call when an agent’s identity is final on chain; may be called more than once. */
  onIdentityConfirmed(svcId: string): Promise<void>
  /** Call when the chain reports a change to an agent’s token; may be called more than once. */
  onTokenChanged(svcId: string): Promise<void>
  /** Points an agent’s token at this service, if possible. */
  syncTokenUri(svcId: string): Promise<void>
  publishFile(svcId: string): Promise<void>
  /** Keeps the registration files of this process as the database says. */
  files: {
    onAgentChanged(svcId: string): void
    onMissed(): void
    start(): void
    stop(): Promise<void>
  }
  /** Registers an agent for an account whose owner has approved it, in the transaction of the approval. */
  registerForAccount(
    trx: Parameters<AgentStore['insert']>[0],
    input: RegisterForAccountInput,
  ): Promise<AgentRow>
}

/** Composes agents and endpoints: the stores, registration files and secrets that the use cases of both share. */
export function composeRegistry(deps: ComposeRegistryDeps): ComposedRegistry {
  const parts = createParts(deps)
  const refreshToken = createRefreshToken(parts)
  const onTokenChanged = async (svcId: string): Promise<void> => {
    await refreshToken(svcId)
    // The agentWallet signs for the agent.
    parts.onAgentChanged(svcId)
    await syncTokenUri(parts, svcId)
  }
  return {
    parts,
    stores: { agents: parts.agents, endpoints: parts.endpoints },
    async onIdentityConfirmed(svcId) {
      await confirmIdentity(parts, svcId)
      await onTokenChanged(svcId)
    },
    onTokenChanged,
    syncTokenUri: (svcId) => syncTokenUri(parts, svcId),
    publishFile: parts.publishFile,
    files: composeFiles(parts, deps.ambient),
    registerForAccount: (trx, input) => registerForAccount(parts, trx, input),
  }
}

type Parts = ReturnType<typeof createParts>

function composeFiles(parts: Parts, { clock, log }: ComposeRegistryDeps['ambient']) {
  const files = createRefreshFiles(parts)
  const worker = createRoundsWorker({
    failing: 'registration files cannot be compared with the database',
    round: () => files.round(clock()),
    pauseMs: FILES_PAUSE_MS,
    breathMs: FILES_BREATH_MS,
    log,
  })
  return {
    start: worker.start,
    onMissed: files.onMissed,
    onAgentChanged(svcId: string): void {
      files.onAgentChanged(svcId)
      worker.wake()
    },
    async stop() {
      await worker.stop()
      await files.stop()
    },
  }
}

function createParts({ db, config, ambient, caches, ...deps }: ComposeRegistryDeps) {
  const { log, ...sources } = ambient
  const { publicUrl, allowPrivateNetwork } = config
  const agents = createAgentStore(db.query)
  const owners = createOwnerFactsStore(db.query)
  const behaviour = createBehaviourStore(db.query)
  const files = createRegistrationFiles(config.registrationFilesDir)
  const settings: RegistrySettings = { publicUrl, allowPrivateNetwork, ...sources }
  const keySetUrl = `${publicUrl}/.well-known/jwks.json`
  const cardSignerOf = createPerKey((key) => createCardSigner({ key, keySetUrl }))
  return {
    db,
    agents,
    agentKeys: createAgentKeyStore(db.query),
    usedProofs: createUsedProofStore(),
    verifyKeyProof,
    writeAs: createWriteAs(db),
    interventions: createInterventionStore(db.query),
    endpoints: createEndpointStore(db.query),
    allowlists: createAllowlistStore(db.query),
    records: createAuditRecordStore(db.query),
    receipts: createReceiptStore(db.query),
    outbox: createOutboxStore(db.query),
    lineage: createLineageStore(db.query),
    directory: createDirectoryStore(db.query),
    owners,
    files,
    publicUrl,
    settings,
    secrets: openSecretBoxes(config).secrets,
    cards: {
      sign: (type: string, text: string) =>
        cardSignerOf(deps.cardKeys.signing(sources.clock())).sign(type, text),
    },
    tokens: createTokenStore(db.query),
    tokenUriOf: createTokenUriOf({ publicUrl, isInIpfs: config.ipfsApiUrl !== undefined }),
    inIpfs: config.ipfsApiUrl === undefined ? null : createIpfsFileStore(db.query),
    alerts: createAlertStore(db.query),
    accounts: { ...createUserStore(db.query), ...createOrganizationStore(db.query) },
    budgets: deps.budgets,
    chainTokens: deps.chain.tokens,
    chain: createChainIdentities(deps.chain),
    ensureOwner: deps.ensureWalletAccount,
    raiseAlert: deps.raiseAlert,
    agentTokens: deps.agentTokens,
    assessAgent: (agent: AgentRow, now: number) => assessAgent({ owners, behaviour }, agent, now),
    publishFile: createPublishRegistrationFile({ agents, files, publicUrl, log }),
    onAgentChanged: caches.onAgentChanged,
    onEndpointChanged: caches.onEndpointChanged,
    onTierChanged: caches.onTierChanged,
  }
}

function createChainIdentities(chain: ComposeRegistryDeps['chain']): ChainIdentities {
  return {
    async deployment() {
      const { chainId, contracts } = await chain.overview()
      return { chainId, identityRegistry: contracts.identityRegistry as `0x${string}` }
    },
    ownerNonce: chain.ownerNonce,
    verifyConsent: createConsentVerifier(chain.verifyContractSignature),
  }
}
