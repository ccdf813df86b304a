import { type AgentKey, computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { apiError } from '../../../errors.ts'
import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { LineageStore } from '../../../store/agents/lineageStore.ts'
import type { OwnerFactsStore } from '../../../store/agents/ownerFactsStore.ts'
import type { AuditRecordStore } from '../../../store/audit/auditRecordStore.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import type { RegistrySettings } from '../../registrySettings.ts'
import { intentKey } from '../../relayer/intents.ts'
import { buildAgentLinks } from '../buildAgentLinks.ts'
import { buildAgentRecord } from '../buildAgentRecord.ts'
import { storeFirstKeys } from '../keys/storeFirstKeys.ts'
import type { TakeOverKeyDeps } from '../keys/takeOverKey.ts'
import { commitRegistrationFile } from '../registrationFile/commitRegistrationFile.ts'
import { mintMetadata } from '../token/tokenUriOf.ts'
import type { AgentRegistration } from './agentRegistration.ts'
import { createAgentRow } from './createAgentRow.ts'
import { placeSubAgent } from './placeSubAgent.ts'

export type AddAgentDeps = TakeOverKeyDeps & {
  agents: AgentStore
  records: AuditRecordStore
  outbox: OutboxStore
  lineage: LineageStore
  owners: Pick<OwnerFactsStore, 'payerBehind'>
  settings: RegistrySettings
}

export type AddAgentInput = {
  svcId: string
  registration: AgentRegistration
  /** `SVCD-` or `SVCO-`. */
  ownerId: string
  /** The account that signed the registration; null without one. */
  signerAddress: `0x${string}` | null
  /** The future owner of the token; with null, the relayer keeps it until there is a wallet. */
  tokenOwner: `0x${string}` | null
  /** The network from which it was registered or approved, for which its gas counts; null if it is unknown. */
  network: string | null
  /** Whether the owner approved this registration with a passkey. */
  isApproved?: boolean
  /** Thumbprints of the keys that the owner has proven to hold; by default none. */
  provenKids?: ReadonlySet<string>
  now: number
}

/** A stored agent, and the agents of other owners that lost a key to it. */
export type AddedAgent = { agent: AgentRow; lost: string[] }

/**
 * Stores a registration within the transaction of a use case: the agent with its keys, its audit record, the hash of its
 * registration file and the intent to mint it.
 *
 * A sub-agent is placed below its parent in the same transaction. An agent whose owner has no verified identity gets its
 * identity at the strangers’ share of the gas.
 *
 * @throws ApiError as `placeSubAgent`; KEY_TAKEN; nonce_reused if a derived identifier is taken, because the same key used
 * the same nonce before.
 */
export async function addAgent(
  deps: AddAgentDeps,
  trx: Parameters<AgentStore['insert']>[0],
  input: AddAgentInput,
): Promise<AddedAgent> {
  const { svcId, registration, tokenOwner, provenKids = new Set(), now } = input
  const { parentAgentId = null, keys = [] } = registration
  if (await deps.agents.bySvcId(svcId, trx)) throw apiError('nonce_reused')
  const place = parentAgentId === null ? null : await placeSubAgent(deps, trx, { ...input, parentAgentId })
  const placed = place && {
    approvalRules: place.approvalRules,
    registration: { ...registration, pdlss: place.pdlss },
  }
  const agent = createAgentRow({ ...input, ...placed }, deps.settings.randomBytes)
  await deps.agents.insert(trx, agent)
  if (place !== null) await deps.lineage.insert(trx, svcId, place.ancestors)
  const lost = await storeFirstKeys(deps, trx, { agent, keys, provenKids, now })
  await deps.records.append(trx, buildRegisteredRecord(agent, keys, deps.settings, now))
  await commitRegistrationFile(deps, trx, agent, now)
  await deps.outbox.add(trx, {
    idempotencyKey: intentKey.mint(svcId),
    kind: 'identity.mint',
    payload: {
      svcId,
      owner: tokenOwner,
      agentURI: buildAgentLinks(deps.settings.publicUrl, svcId).registrationFileUrl,
      metadata: mintMetadata(svcId),
      consent: registration.onChain,
    },
    ...(await deps.owners.payerBehind(trx, agent.ownerId)),
    network: input.network,
    now,
  })
  return { agent, lost }
}

function buildRegisteredRecord(
  agent: AgentRow,
  keys: readonly AgentKey[],
  settings: RegistrySettings,
  now: number,
) {
  const { name, description, agentType, apiEndpoint, image, model, framework, protocols, pdlss } = agent
  const parent = agent.parentAgentId === null ? {} : { parentAgentId: agent.parentAgentId }
  return buildAgentRecord(
    agent,
    {
      eventType: 'agent.registered',
      eventData: {
        ...{ agentType, protocols, ...parent },
        ...(keys.length > 0 && { kids: keys.map(computeKeyThumbprint) }),
      },
      inputs: {
        signerAddress: agent.signerAddress,
        ...{ name, description, agentType, apiEndpoint, image, model, framework, protocols, pdlss },
        declarations: agent.declarations,
        ...parent,
        ...(keys.length > 0 && { keys }),
      },
    },
    { now, randomBytes: settings.randomBytes },
  )
}
