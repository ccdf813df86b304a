import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { AgentTokens } from '../external/agentTokens.ts'
import { createCardSigner } from '../external/cardSigner.ts'
import { createConsentVerifier } from '../external/consentVerifier.ts'
import type { Logger } from '../external/logger.ts'
import { readSecretsKey } from '../external/readSecretsKey.ts'
import { readSigningKey } from '../external/readSigningKey.ts'
import { createRegistrationFiles } from '../external/registrationFiles.ts'
import { createSecretBox } from '../external/secretBox.ts'
import type { VerifyContractSignature } from '../external/signatureVerifier.ts'
import type { AgentServices } from '../services/agents/agentServices.ts'
import { changeAgentStatus } from '../services/agents/changeAgentStatus.ts'
import { changeApprovalRules } from '../services/agents/changeApprovalRules.ts'
import { changeCertification } from '../services/agents/changeCertification.ts'
import { issueAgentToken } from '../services/agents/issueAgentToken.ts'
import { listAgents } from '../services/agents/listAgents.ts'
import { readAgent } from '../services/agents/readAgent.ts'
import { readAgentCard } from '../services/agents/readAgentCard.ts'
import { readApprovalRules } from '../services/agents/readApprovalRules.ts'
import { readCertifications } from '../services/agents/readCertifications.ts'
import { checkConsent } from '../services/agents/registration/checkConsent.ts'
import { registerAgent } from '../services/agents/registration/registerAgent.ts'
import {
  type RegisterForAccountInput,
  registerForAccount,
} from '../services/agents/registration/registerForAccount.ts'
import { type StoreNewAgentDeps, storeNewAgent } from '../services/agents/registration/storeNewAgent.ts'
import { listRegistrations } from '../services/agents/registrationFile/listRegistrations.ts'
import { createPublishRegistrationFile } from '../services/agents/registrationFile/publishRegistrationFile.ts'
import { readRegistrationFile } from '../services/agents/registrationFile/readRegistrationFile.ts'
import { scoreAgent } from '../services/agents/scoreAgent.ts'
import type { ChainIdentities } from '../services/agents/token/chainIdentities.ts'
import type { ChainTokens } from '../services/agents/token/chainTokens.ts'
import { confirmIdentity } from '../services/agents/token/confirmIdentity.ts'
import { handOverAgent } from '../services/agents/token/handOverAgent.ts'
import { readChainOwner } from '../services/agents/token/readChainOwner.ts'
import { createRefreshToken } from '../services/agents/token/refreshToken.ts'
import { syncTokenUri } from '../services/agents/token/syncTokenUri.ts'
import { createTokenUriOf } from '../services/agents/token/tokenUriOf.ts'
import { updateAgent } from '../services/agents/updateAgent.ts'
import type { RaiseAlert } from '../services/alerts/createRaiseAlert.ts'
import { addAllowlistEntry, removeAllowlistEntry } from '../services/endpoints/changeAllowlist.ts'
import { claimEndpoint } from '../services/endpoints/claimEndpoint.ts'
import { endEndpoint } from '../services/endpoints/endEndpoint.ts'
import type { EndpointServices } from '../services/endpoints/endpointServices.ts'
import { listAllowlist } from '../services/endpoints/listAllowlist.ts'
import { listEndpoints } from '../services/endpoints/listEndpoints.ts'
import { readEndpoint } from '../services/endpoints/readEndpoint.ts'
import { registerEndpoint } from '../services/endpoints/registerEndpoint.ts'
import { updateEndpoint } from '../services/endpoints/updateEndpoint.ts'
import type { RegistrySettings } from '../services/registrySettings.ts'
import { createOrganizationStore } from '../store/accounts/organizationStore.ts'
import { createUserStore } from '../store/accounts/userStore.ts'
import { type AgentRow, type AgentStore, createAgentStore } from '../store/agents/agentStore.ts'
import { createIpfsFileStore } from '../store/agents/ipfsFileStore.ts'
import { createLineageStore } from '../store/agents/lineageStore.ts'
import { createOwnerFactsStore } from '../store/agents/ownerFactsStore.ts'
import { createTokenStore } from '../store/agents/tokenStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import type { Db } from '../store/database/database.ts'
import { createAllowlistStore } from '../store/endpoints/allowlistStore.ts'
import { createEndpointStore, type EndpointStore } from '../store/endpoints/endpointStore.ts'
import { createBehaviourStore } from '../store/feed/behaviourStore.ts'
import type { ClaimedWrites } from '../store/recorder/claimedWrites.ts'
import { createOutboxStore } from '../store/relayer/outboxStore.ts'

export type ComposeRegistryDeps = {
  db: Db
  once: ClaimedWrites['once']
  config: Pick<
    Config,
    'dataDir' | 'registrationFilesDir' | 'publicUrl' | 'allowPrivateNetwork' | 'secretsKey' | 'ipfsApiUrl'
  >
  ambient: {
    clock: () => number
    randomBytes: (length: number) => Uint8Array
    log: Pick<Logger, 'error'>
  }
  ensureWalletAccount: StoreNewAgentDeps['ensureOwner']
  agentTokens: AgentTokens
  chain: {
    overview(): Promise<{ chainId: number; contracts: { identityRegistry: string } }>
    ownerNonce: ChainIdentities['ownerNonce']
    /** Null when no chain can be asked; then only keys sign. */
    verifyContractSignature: VerifyContractSignature | null
    tokens: ChainTokens
  }
  raiseAlert: RaiseAlert
  /** What remembers agents and endpoints; told after the commit of each change and before its answer. */
  caches: {
    onAgentChanged(svcId: string): void
    onEndpointChanged(endpoint: { id: string; svceId: string | null }): void
    onTierChanged(endpoint: { id: string; svceId: string | null; ownerId: string }): Promise<void>
  }
}

export type ComposedRegistry = {
  services: { agents: AgentServices; endpoints: EndpointServices }
  stores: { agents: AgentStore; endpoints: EndpointStore }
  /** To be called when an agent's identity is final on chain; safe to repeat. */
  onIdentityConfirmed(svcId: string): Promise<void>
  /** To be called when the chain says that something happened to an agent's token; safe to repeat. */
  onTokenChanged(svcId: string): Promise<void>
  /** Leads the token of an agent here, if that can be done. */
  syncTokenUri(svcId: string): Promise<void>
  publishFile(svcId: string): Promise<void>
  /** Registers an agent for an account whose owner has approved it, in the transaction of that. */
  registerForAccount(
    trx: Parameters<AgentStore['insert']>[0],
    input: RegisterForAccountInput,
  ): Promise<AgentRow>
}

/** Puts agents and endpoints together: stores, registration files, secrets, with every use case bound to them. */
export function composeRegistry(deps: ComposeRegistryDeps): ComposedRegistry {
  const parts = createParts(deps)
  const refreshToken = createRefreshToken(parts)
  const onTokenChanged = async (svcId: string): Promise<void> => {
    await refreshToken(svcId)
    await syncTokenUri(parts, svcId)
  }
  return {
    services: { agents: agentServices(parts), endpoints: endpointServices(parts) },
    stores: { agents: parts.agents, endpoints: parts.endpoints },
    async onIdentityConfirmed(svcId) {
      await confirmIdentity(parts, svcId)
      await onTokenChanged(svcId)
    },
    onTokenChanged,
    syncTokenUri: (svcId) => syncTokenUri(parts, svcId),
    publishFile: parts.publishFile,
    registerForAccount: (trx, input) => registerForAccount(parts, trx, input),
  }
}

type Parts = ReturnType<typeof createParts>

function createParts({ db, config, ambient, caches, ...deps }: ComposeRegistryDeps) {
  const { log, ...sources } = ambient
  const { publicUrl, allowPrivateNetwork } = config
  const agents = createAgentStore(db.query)
  const owners = createOwnerFactsStore(db.query)
  const behaviour = createBehaviourStore(db.query)
  const files = createRegistrationFiles(config.registrationFilesDir)
  const settings: RegistrySettings = { publicUrl, allowPrivateNetwork, ...sources }
  const key = readSecretsKey(config.secretsKey, join(config.dataDir, 'secrets-key'))
  return {
    db,
    agents,
    endpoints: createEndpointStore(db.query),
    allowlists: createAllowlistStore(db.query),
    records: createAuditRecordStore(db.query),
    outbox: createOutboxStore(db.query),
    lineage: createLineageStore(db.query),
    owners,
    files,
    publicUrl,
    settings,
    secrets: createSecretBox(key),
    cards: createCardSigner({
      key: readSigningKey(join(config.dataDir, 'agent-card-key.json')),
      keySetUrl: `${publicUrl}/.well-known/jwks.json`,
    }),
    tokens: createTokenStore(db.query),
    tokenUriOf: createTokenUriOf({ publicUrl, isInIpfs: config.ipfsApiUrl !== undefined }),
    inIpfs: config.ipfsApiUrl === undefined ? null : createIpfsFileStore(db.query),
    accounts: { ...createUserStore(db.query), ...createOrganizationStore(db.query) },
    chainTokens: deps.chain.tokens,
    chain: chainIdentities(deps.chain),
    once: deps.once,
    ensureOwner: deps.ensureWalletAccount,
    raiseAlert: deps.raiseAlert,
    agentTokens: deps.agentTokens,
    scoreAgent: (agent: AgentRow, now: number) => scoreAgent({ owners, behaviour }, agent, now),
    publishFile: createPublishRegistrationFile({ agents, files, publicUrl, log }),
    onAgentChanged: caches.onAgentChanged,
    onEndpointChanged: caches.onEndpointChanged,
    onTierChanged: caches.onTierChanged,
  }
}

function chainIdentities(chain: ComposeRegistryDeps['chain']): ChainIdentities {
  return {
    async deployment() {
      const { chainId, contracts } = await chain.overview()
      return { chainId, identityRegistry: contracts.identityRegistry as `0x${string}` }
    },
    ownerNonce: chain.ownerNonce,
    verifyConsent: createConsentVerifier(chain.verifyContractSignature),
  }
}

function agentServices(parts: Parts): AgentServices {
  const registration = {
    ...parts,
    checkConsent: (input: Parameters<typeof checkConsent>[1]) => checkConsent(parts, input),
    storeAgent: parts.once((input: Parameters<typeof storeNewAgent>[1]) => storeNewAgent(parts, input)),
  }
  return {
    register: (input) => registerAgent(registration, input),
    issueToken: (input) => issueAgentToken(parts, input),
    read: (input) => readAgent(parts, input),
    list: (input) => listAgents(parts, input),
    update: (input) => updateAgent(parts, input),
    async handOver(input) {
      const { principal, now } = input
      return readAgent(parts, { id: await handOverAgent(parts, input), principal, now })
    },
    async changeStatus(step, input) {
      const { principal, now } = input
      return readAgent(parts, { id: await changeAgentStatus(parts, step, input), principal, now })
    },
    readApprovalRules: (input) => readApprovalRules(parts, input),
    changeApprovalRules: (input) => changeApprovalRules(parts, input),
    changeCertification: (step, input) => changeCertification(parts, step, input),
    readCertifications: (input) => readCertifications(parts, input),
    card: (input) => readAgentCard(parts, input),
    cardKey: parts.cards.publicKey,
    registrationFile: (input) => readRegistrationFile(parts, input),
    registrations: (input) => listRegistrations(parts, input),
    chainOwner: (input) => readChainOwner(parts, input),
  }
}

function endpointServices(parts: Parts): EndpointServices {
  return {
    register: (input) => registerEndpoint(parts, input),
    read: (input) => readEndpoint(parts, input),
    list: (input) => listEndpoints(parts, input),
    update: (input) => updateEndpoint(parts, input),
    claim: (input) => claimEndpoint(parts, input),
    deactivate: (input) => endEndpoint(parts, 'deactivate', input),
    archive: (input) => endEndpoint(parts, 'archive', input),
    listAllowlist: (input) => listAllowlist(parts, input),
    addAllowlistEntry: (input) => addAllowlistEntry(parts, input),
    removeAllowlistEntry: (input) => removeAllowlistEntry(parts, input),
  }
}
