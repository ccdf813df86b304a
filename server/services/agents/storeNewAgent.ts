import { apiError } from '../../errors.ts'
import type { AgentRow, AgentStore } from '../../store/agentStore.ts'
import type { AuditRecordStore } from '../../store/auditRecordStore.ts'
import type { Db } from '../../store/database.ts'
import type { OutboxStore } from '../../store/outboxStore.ts'
import { newAuditRecord } from '../audit/newAuditRecord.ts'
import type { RegistrySettings } from '../registrySettings.ts'
import { intentKey } from '../relayer/intents.ts'
import { agentLinks } from './agentLinks.ts'
import type { AgentRegistration } from './agentRegistration.ts'
import { commitRegistrationFile } from './commitRegistrationFile.ts'
import { mintMetadata } from './mintMetadata.ts'
import { newAgentRow } from './newAgentRow.ts'

type Trx = Parameters<AgentStore['insert']>[0]

export type StoreNewAgentDeps = {
  db: Pick<Db, 'transaction'>
  agents: AgentStore
  records: AuditRecordStore
  outbox: OutboxStore
  /** Finds or makes the account of a signing key. */
  ensureOwner(input: { trx: Trx; address: `0x${string}`; now: number }): Promise<{ developerId: string }>
  settings: RegistrySettings
}

export type StoreNewAgentInput = {
  svcId: string
  registration: AgentRegistration
  address: `0x${string}`
  now: number
}

/**
 * Makes a registration true in one transaction: the owner's account, the agent, its audit record, the hash of its
 * registration file and the order to mint it.
 *
 * @throws ApiError nonce_reused when the derived identifier is taken: the same key has used the same nonce before.
 * Source: api.md "Agents"; onchain.md "Relayer".
 */
export async function storeNewAgent(deps: StoreNewAgentDeps, input: StoreNewAgentInput): Promise<AgentRow> {
  const { svcId, registration, address, now } = input
  return deps.db.transaction(async (trx) => {
    if (await deps.agents.bySvcId(svcId, trx)) throw apiError('nonce_reused')
    const { developerId } = await deps.ensureOwner({ trx, address, now })
    const signerAddress = address.toLowerCase() as `0x${string}`
    const agent = newAgentRow(
      { svcId, registration, signerAddress, ownerId: developerId, now },
      deps.settings.randomBytes,
    )
    await deps.agents.insert(trx, agent)
    await deps.records.append(trx, registeredRecord(agent, deps.settings, now))
    await commitRegistrationFile(deps, trx, agent, now)
    await deps.outbox.add(trx, {
      idempotencyKey: intentKey.mint(svcId),
      kind: 'identity.mint',
      payload: {
        svcId,
        owner: address,
        agentURI: agentLinks(deps.settings.publicUrl, svcId).registrationFileUrl,
        metadata: mintMetadata(svcId),
        consent: registration.onChain,
      },
      now,
    })
    return agent
  })
}

function registeredRecord(agent: AgentRow, settings: RegistrySettings, now: number) {
  const { name, description, agentType, apiEndpoint, image, model, framework, protocols, pdlss } = agent
  return newAuditRecord(
    {
      eventType: 'agent.registered',
      ownerId: agent.ownerId,
      counterpartyOwnerId: null,
      agentId: agent.svcId,
      endpointId: null,
      policyHashes: { agent: agent.pdlssHash, endpoint: null },
      eventData: { agentName: name, agentType, protocols },
      inputs: {
        signerAddress: agent.signerAddress,
        ...{ name, description, agentType, apiEndpoint, image, model, framework, protocols, pdlss },
        declarations: agent.declarations,
      },
    },
    now,
    settings.randomBytes,
  )
}
