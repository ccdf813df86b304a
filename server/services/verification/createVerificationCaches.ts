import { parseDid } from '@svc/core/credentials/parseDid.ts'
import { parseForeignName } from '@svc/core/foreign/foreignName.ts'
import type { ActivityFacts } from '@svc/core/trustScore.ts'
import { listContainingUrls } from '@svc/core/url/listContainingUrls.ts'
import { normaliseUrl } from '@svc/core/url/url.ts'
import type { ProofKey } from '../../external/proofs/proof.ts'
import type { AdoptionStore } from '../../store/agents/adoptionStore.ts'
import type { AgentKeyRow, AgentKeyStore } from '../../store/agents/agentKeyStore.ts'
import type { AgentRow, AgentStore } from '../../store/agents/agentStore.ts'
import type { CredentialStore, NamedAgent } from '../../store/agents/credentialStore.ts'
import type { OwnerFactsStore } from '../../store/agents/ownerFactsStore.ts'
import type { TokenStore } from '../../store/agents/tokenStore.ts'
import type { AllowlistStore } from '../../store/endpoints/allowlistStore.ts'
import type { EndpointRow, EndpointStore } from '../../store/endpoints/endpointStore.ts'
import {
  combineRequirements,
  findInheritedRequirements,
  requirementsOf,
} from '../agents/findInheritedRequirements.ts'
import { listSigningAccounts } from '../agents/keys/listSigningAccounts.ts'
import { findObstacles } from '../domains/findObstacles.ts'
import { listOwnAuthorities } from '../domains/listOwnAuthorities.ts'
import { createReadThroughCache } from '../readThroughCache.ts'
import type { KeepContext } from './createKeepContext.ts'
import { buildAgentContext, buildEndpointContext } from './decisionContext.ts'
import { findCapHolders, holdsOwnCaps } from './findCapHolders.ts'
import { createDescendants } from './parties/createDescendants.ts'
import type { VerifiableAgent } from './parties/verifiableAgent.ts'
import { type AgentBehaviour, createAgentBehaviour, loadVerifiableAgent } from './parties/verifiableAgent.ts'
import type { VerifiableEndpoint } from './parties/verifiableEndpoint.ts'
import { loadVerifiableEndpoint } from './parties/verifiableEndpoint.ts'

export type VerificationCachesDeps = {
  agents: AgentStore
  endpoints: EndpointStore
  allowlists: Pick<AllowlistStore, 'ofEndpoint'>
  agentKeys: Pick<AgentKeyStore, 'ofAgent'>
  importKeys(rows: readonly AgentKeyRow[]): Promise<ProofKey[]>
  tokens: Pick<TokenStore, 'bySvcId'>
  owners: Pick<OwnerFactsStore, 'ofOwner' | 'walletsOf' | 'isWalletOfAdministrator'>
  adoptions: Pick<AdoptionStore, 'ofAgent'>
  credentials: Pick<CredentialStore, 'byLookupKey' | 'ofAgent'>
  keepContext: KeepContext
  /** Whether an operator has suspended an owner. */
  isSuspended(ownerId: string): Promise<boolean>
  behaviourOf(svcId: string): Promise<ActivityFacts | undefined>
  max: number
}

/** Separates URL and owner in a cache key, because no URL contains a line break. */
const SEPARATOR = '\n'

/**
 * Caches the facts of the hot path: each is read once and kept until its row changes.
 *
 * Every write calls `onAgentChanged` or its counterpart after the commit and before the response.
 *
 * Source: docs/performance.md.
 */
export function createVerificationCaches(deps: VerificationCachesDeps) {
  const { agents, endpoints, max } = deps
  /**
   * Cached separately from the agent, because the feed counts an outcome slightly later: read together with a change, the
   * last outcome would be missing.
   */
  const behaviourBySvcId = createReadThroughCache<AgentBehaviour>({
    max,
    load: async (svcId) => createAgentBehaviour(await deps.behaviourOf(svcId)),
  })
  const adoptedOf = async ({ svcId, foreignToken }: AgentRow): Promise<VerifiableAgent['adopted']> => {
    const name = foreignToken === null ? null : parseForeignName(foreignToken)
    const adoption = name && (await deps.adoptions.ofAgent(svcId))
    if (!name || !adoption) return null
    const { owner, adoptedBlock, wallet, walletBlock } = adoption
    return { name, owner, adoptedBlock, wallet, walletBlock }
  }
  /** The cached agents that depend on who administers an organisation, and on the wallets of these people. */
  const ofAdministrators = new Set<string>()
  const forgetAdministrators = () => {
    for (const svcId of ofAdministrators) agentBySvcId.delete(svcId)
    ofAdministrators.clear()
  }
  /** The cached agents that declare a wallet, which may depend on their credentials. */
  const ofDeclaredWallets = new Set<string>()
  const forgetDeclaredWallets = () => {
    for (const svcId of ofDeclaredWallets) agentBySvcId.delete(svcId)
    ofDeclaredWallets.clear()
  }
  /** The accounts that signed a challenge to become a credential of the agent. Source: docs/credentials.md. */
  const listCredentialAccounts = async ({ svcId, declarations }: AgentRow): Promise<string[]> => {
    if (declarations.x402?.walletAddress === undefined) return []
    if (ofDeclaredWallets.size >= max) forgetDeclaredWallets()
    // Before they are read, so that a change in the meantime discards this load.
    ofDeclaredWallets.add(svcId)
    const credentials = await deps.credentials.ofAgent(svcId)
    return credentials.flatMap(({ type, subject }) => {
      const did = type === 'did' ? parseDid(subject) : undefined
      return did?.method === 'ethr' ? [did.address] : []
    })
  }
  const ownersFor = (svcId: string): VerificationCachesDeps['owners'] => ({
    ...deps.owners,
    isWalletOfAdministrator(...parameters) {
      if (ofAdministrators.size >= max) forgetAdministrators()
      // Before they are read, so that a change in the meantime discards this load.
      ofAdministrators.add(svcId)
      return deps.owners.isWalletOfAdministrator(...parameters)
    },
  })
  /** What an ancestor requires of requests applies to its descendants, too. */
  const descendants = createDescendants({ max, forget: (svcId) => agentBySvcId.delete(svcId) })
  const agentBySvcId = createReadThroughCache<VerifiableAgent>({
    max,
    async load(svcId) {
      const row = await agents.bySvcId(svcId)
      if (!row) return null
      const [inherited, owner, behaviour, rows, signing, credentialAccounts, capHolders, adopted] =
        await Promise.all([
          findInheritedRequirements(deps, row, (ancestorId) => descendants.add(ancestorId, svcId)),
          deps.owners.ofOwner(row.ownerId),
          behaviourBySvcId.get(svcId),
          deps.agentKeys.ofAgent(svcId),
          listSigningAccounts({ ...deps, owners: ownersFor(svcId) }, row),
          listCredentialAccounts(row),
          findCapHolders(agents, row),
          adoptedOf(row),
        ])
      const required = combineRequirements(requirementsOf(row, rows), inherited)
      const ancestorMaxTransactionsPerHour = capHolders.ancestorRates.map(({ max }) => max)
      const context = buildAgentContext({ ...row, ...required, ancestorMaxTransactionsPerHour })
      await deps.keepContext(context)
      const keys = await deps.importKeys(rows)
      const names = listNames(row)
      const { accounts, own: payers } = signing
      const provenAccounts = [...accounts, ...credentialAccounts]
      const proving = { keys, accounts, obtainers: accounts, payers, provenAccounts }
      const loaded = { names, adopted, ...proving, ...capHolders, ...required, owner }
      return behaviour && loadVerifiableAgent(row, { ...loaded, behaviour, contextHash: context.hash })
    },
  })
  /** The keys of cached endpoints that depend on who has claimed which host. */
  const ofSharedHosts = new Set<string>()
  const forgetSharedHosts = () => {
    for (const key of ofSharedHosts) endpointById.delete(key)
    ofSharedHosts.clear()
  }
  const hostOwnerOf = async (at: Pick<EndpointRow, 'url' | 'host' | 'ownerId'>): Promise<string | null> =>
    (await findObstacles(endpoints, at, 1))[0]?.ownerId ?? null
  const compiled = async (row: EndpointRow | null, key?: string): Promise<VerifiableEndpoint | null> => {
    if (!row) return null
    const isDiscovered = row.tier === 'discovered'
    // Before the hosts are read, so that a claim in the meantime discards this load.
    if (key !== undefined && (isDiscovered || row.authorities.length > 0)) {
      if (ofSharedHosts.size >= max) forgetSharedHosts()
      ofSharedHosts.add(key)
    }
    const hostOwnerId = isDiscovered ? await hostOwnerOf(row) : null
    const authorities = await listOwnAuthorities(endpoints, row)
    const allowlist = await deps.allowlists.ofEndpoint(row.id)
    const context = buildEndpointContext({ ...row, allowlist })
    await deps.keepContext(context)
    const isClosed = await deps.isSuspended(row.ownerId)
    const state = { allowlist, contextHash: context.hash, isClosed, hostOwnerId, authorities }
    return loadVerifiableEndpoint(row, state)
  }
  const endpointById = createReadThroughCache<VerifiableEndpoint>({
    max,
    load: async (id) => compiled(await endpoints.byAnyId(id), id),
  })
  const agentByCredential = createReadThroughCache<NamedAgent>({ max, load: deps.credentials.byLookupKey })
  const endpointByUrl = createReadThroughCache<VerifiableEndpoint>({
    max,
    async load(key) {
      const [url = '', ownerId = ''] = key.split(SEPARATOR)
      const row = await endpoints.byContainingUrls(listContainingUrls(url), { ownerId, host: hostOf(url) })
      return compiled(row && nameByUrl(row, url))
    },
  })
  return {
    agentBySvcId: (svcId: string) => agentBySvcId.get(svcId),
    agentByCredential: (lookupKey: string) => agentByCredential.get(lookupKey),
    /** Compiles an agent of another registry that nobody adopted: a row that is not stored, and the accounts that sign. */
    async visitingAgent(row: AgentRow, accounts: readonly string[]): Promise<VerifiableAgent> {
      const behaviour = await behaviourBySvcId.get(row.svcId)
      if (behaviour === null) throw new Error('the behaviour of an agent is unknown')
      const required = requirementsOf(row, [])
      const context = buildAgentContext({ ...row, ...required })
      await deps.keepContext(context)
      return loadVerifiableAgent(row, {
        names: [row.foreignToken ?? row.svcId],
        ...{
          adopted: null,
          keys: [],
          ...{ accounts, obtainers: [], payers: accounts, provenAccounts: accounts },
          ...holdsOwnCaps(row.svcId),
          ...required,
          owner: null,
          behaviour,
        },
        contextHash: context.hash,
      })
    },
    endpoints: {
      // A UUID may be written in capitals, and changes invalidate only the lower-case form that is stored.
      byPublicId: (id: string) => endpointById.get(id.startsWith('SVCE-') ? id : id.toLowerCase()),
      byUrl: (url: string, ownerId: string) => endpointByUrl.get(url + SEPARATOR + ownerId),
      hostOwnerOf,
    },
    onAgentChanged(svcId: string): void {
      agentBySvcId.delete(svcId)
      descendants.forgetBelow(svcId)
    },
    /** Call when the members of an organisation have changed, or the wallets of an account. */
    onAdministratorsChanged: forgetAdministrators,
    onCredentialChanged(lookupKey: string): void {
      agentByCredential.delete(lookupKey)
      forgetDeclaredWallets()
    },
    onEndpointChanged(row: Pick<EndpointRow, 'id' | 'svceId'>): void {
      endpointById.delete(row.id)
      if (row.svceId !== null) endpointById.delete(row.svceId)
      // A claim replaces the endpoints that other owners discovered under the URL, so their keys go as well.
      endpointByUrl.clear()
      forgetSharedHosts()
    },
    /** A load in progress may have missed the new endpoint. */
    onEndpointDiscovered: (url: string, ownerId: string) => endpointByUrl.delete(url + SEPARATOR + ownerId),
    /** Whose agents and endpoints these are is not known here, and operators act rarely. */
    onStandingChanged(): void {
      for (const cache of [agentBySvcId, endpointById, endpointByUrl]) cache.clear()
    },
    /** Only reading the counts again shows what other processes counted. */
    onBehaviourAged(): void {
      behaviourBySvcId.clear()
      agentBySvcId.clear()
    },
    /** Clears all caches, for when it is unknown what changed. */
    clear(): void {
      for (const cache of [behaviourBySvcId, agentBySvcId, agentByCredential, endpointById, endpointByUrl]) {
        cache.clear()
      }
    },
  }
}

/** An adopted agent may call itself by its token, too. */
function listNames({ svcId, foreignToken }: AgentRow): [string, ...string[]] {
  return foreignToken === null ? [svcId] : [svcId, foreignToken]
}

/** What was discovered at another path of the host goes by the URL that the request named. */
function nameByUrl(row: EndpointRow, url: string): EndpointRow {
  return row.tier !== 'discovered' || listContainingUrls(url).includes(row.url) ? row : { ...row, url }
}

function hostOf(url: string): string {
  const normal = normaliseUrl(url)
  return normal.ok ? normal.host : ''
}
