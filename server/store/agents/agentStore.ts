import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'
import type { RequirableFact } from '@svc/core/access/facts.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import type { Knex } from 'knex'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'
import type { ForeignFeedback } from './adoptionStore.ts'

/** `provisional` and `withdrawn` are those of platform agents. */
type AgentStatus = 'active' | 'suspended' | 'retired' | 'provisional' | 'withdrawn'

type BlockchainStatus = 'unverified' | 'pending' | 'verified' | 'failed'

export type AgentModel = { modelName?: string; modelProvider?: string; modelType?: string }

export type AgentFramework = { frameworkName?: string; frameworkVersion?: string }

/** One agent as it is stored; times are epoch milliseconds. */
export type AgentRow = {
  /** UUIDv7. */
  id: string
  svcId: string
  /** `SVCD-` or `SVCO-`. */
  ownerId: string
  status: AgentStatus
  name: string
  description: string | null
  agentType: string | null
  /** The runtime-challenge URL. */
  apiEndpoint: string | null
  image: string | null
  model: AgentModel | null
  framework: AgentFramework | null
  protocols: string[]
  /** The declared protocol blocks by protocol. */
  declarations: Record<string, Record<string, unknown>>
  pdlss: Pdlss
  /** 16 bytes in hex. */
  pdlssSalt: string
  pdlssHash: `0x${string}`
  approvalRules: ApprovalRule[]
  /** What the owner requires requests to prove; null for the default. */
  minIdentityProof: IdentityProof | null
  /** What the owner requires requests to state. */
  requiredFacts: RequirableFact[]
  certifications: string[]
  /** Lower-case address whose key signed the registration. */
  signerAddress: `0x${string}` | null
  blockchainStatus: BlockchainStatus
  chainAgentId: number | null
  /** `eip155:<chain id>:<address>`. */
  chainRegistry: string | null
  chainTransaction: string | null
  chainBlock: number | null
  /** SHA-256 of the registration file's bytes, 64 hexadecimal digits. */
  registrationFileHash: string | null
  challengePassedAt: number | null
  /** The token of another registry by which its owner adopted it: `eip155:<chain id>:<address>/<number>`. */
  foreignToken: string | null
  /** Feedback of the reviewers that count there; null for an agent of this registry. */
  foreignFeedback: ForeignFeedback | null
  /** `SVC-` identifier of the parent agent; null for a root agent. */
  parentAgentId: string | null
  /** Whether one of its ancestors is not active. */
  isHeld: boolean
  /** Whether its owner wants it to be in the directory. */
  isListed: boolean
  createdAt: number
  updatedAt: number
}

/** The names of an agent and its position in the order of arrival. */
type AgentName = Pick<AgentRow, 'svcId' | 'id' | 'name'> & { position: number }

/** The fields that may change after registration; all others are immutable. */
export type AgentChanges = Partial<
  Pick<
    AgentRow,
    | 'status'
    | 'name'
    | 'description'
    | 'image'
    | 'protocols'
    | 'declarations'
    | 'approvalRules'
    | 'minIdentityProof'
    | 'requiredFacts'
    | 'certifications'
    | 'blockchainStatus'
    | 'chainAgentId'
    | 'chainRegistry'
    | 'chainTransaction'
    | 'chainBlock'
    | 'registrationFileHash'
    | 'foreignFeedback'
    | 'isHeld'
    | 'isListed'
    | 'updatedAt'
  >
>

const COLUMNS = {
  id: 'id',
  svcId: 'svc_id',
  ownerId: 'owner_id',
  status: 'status',
  name: 'name',
  description: 'description',
  agentType: 'agent_type',
  apiEndpoint: 'api_endpoint',
  image: 'image',
  model: 'model',
  framework: 'framework',
  protocols: 'protocols',
  declarations: 'declarations',
  pdlss: 'pdlss',
  pdlssSalt: 'pdlss_salt',
  pdlssHash: 'pdlss_hash',
  approvalRules: 'approval_rules',
  minIdentityProof: 'min_identity_proof',
  requiredFacts: 'required_facts',
  certifications: 'certifications',
  signerAddress: 'signer_address',
  blockchainStatus: 'blockchain_status',
  chainAgentId: 'chain_agent_id',
  chainRegistry: 'chain_registry',
  chainTransaction: 'chain_transaction',
  chainBlock: 'chain_block',
  registrationFileHash: 'registration_file_hash',
  challengePassedAt: 'challenge_passed_at',
  foreignToken: 'foreign_name',
  foreignFeedback: 'foreign_feedback',
  parentAgentId: 'parent_agent_id',
  isHeld: 'is_held',
  isListed: 'is_listed',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof AgentRow, string>

const JSON_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'framework',
  'protocols',
  'declarations',
  'pdlss',
  'approvalRules',
  'requiredFacts',
  'certifications',
  'foreignFeedback',
])

export type AgentStore = ReturnType<typeof createAgentStore>

/** Stores agents. */
export function createAgentStore(query: Knex) {
  const firstWhere = async (where: object, reader: Knex = query): Promise<AgentRow | null> => {
    const row = await reader('agents').select(COLUMNS).where(where).first()
    return row ? agentOf(row) : null
  }
  /** Agents of these owners, newest first. */
  const ofOwners = (ownerIds: readonly string[], before: number | null) =>
    orderNewestFirst(query('agents').whereIn('owner_id', [...ownerIds]), before)
  return {
    /** Reads an agent; pass as `reader` the transaction that also changes the row. */
    bySvcId: (svcId: string, reader: Knex = query) => firstWhere({ svc_id: svcId }, reader),

    /** By `SVC-` identifier or UUID. */
    byAnyId: (id: string) => firstWhere(id.startsWith('SVC-') ? { svc_id: id } : { id: id.toLowerCase() }),

    /**
     * Reads agents of these owners, newest first, restricted to `among` if it is given; `nextBefore` is null at the end.
     */
    async listByOwners(
      ownerIds: readonly string[],
      page: { limit: number; before: number | null },
      among?: readonly string[],
    ): Promise<StoredPage<AgentRow>> {
      const rows = await ofOwners(ownerIds, page.before)
        .select({ ...COLUMNS, position: 'position' })
        .modify((builder) => {
          if (among) builder.whereIn('svc_id', [...among])
        })
        .limit(page.limit + 1)
      return cutPage(rows, page.limit, agentOf)
    },

    /** Reads the names of these owners’ agents, newest first. */
    async namesByOwners(
      ownerIds: readonly string[],
      page: { limit: number; before: number | null },
    ): Promise<AgentName[]> {
      const rows = await ofOwners(ownerIds, page.before)
        .select({ svcId: 'svc_id', id: 'id', name: 'name', position: 'position' })
        .limit(page.limit)
      return rows.map((row: AgentName) => ({ ...row, position: Number(row.position) }))
    },

    /** Reads the agents with these token ids in one registry; at most a page of them. */
    async byTokens(
      chainRegistry: string,
      agentIds: readonly number[],
    ): Promise<{ svcId: string; chainAgentId: number }[]> {
      const rows = await query('agents')
        .select({ svcId: 'svc_id', chainAgentId: 'chain_agent_id' })
        .whereIn('chain_agent_id', [...agentIds])
        .where({ chain_registry: chainRegistry, blockchain_status: 'verified' })
      return rows.map((row) => ({ svcId: String(row.svcId), chainAgentId: Number(row.chainAgentId) }))
    },

    /** Reads all agents in order of arrival, after a position. */
    async page(after: number, limit: number): Promise<{ svcId: string; position: number }[]> {
      const rows = await query('agents')
        .select({ svcId: 'svc_id', position: 'position' })
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit)
      return rows.map((row) => ({ svcId: String(row.svcId), position: Number(row.position) }))
    },

    /** Reads agents that are not retired, in order of arrival, after a position; `next` is null at the end. */
    async listLiving(page: {
      after: number
      limit: number
    }): Promise<{ items: AgentRow[]; next: number | null }> {
      const rows = await query('agents')
        .select({ ...COLUMNS, position: 'position' })
        .where('position', '>', page.after)
        .whereNot({ status: 'retired' })
        .orderBy('position')
        .limit(page.limit)
      const last = rows.length === page.limit ? rows.at(-1) : undefined
      return { items: rows.map(agentOf), next: last ? Number(last.position) : null }
    },

    /** Reads on-chain registrations with a token id above `after` (null for all), ordered by id. */
    async listRegistrations(
      after: number | null,
      limit: number,
    ): Promise<{ chainAgentId: number; chainRegistry: string }[]> {
      const rows = await query('agents')
        .select({ chainAgentId: 'chain_agent_id', chainRegistry: 'chain_registry' })
        // Not 0, because other registries may start there.
        .where('chain_agent_id', '>', after ?? -1)
        .where({ blockchain_status: 'verified' })
        .orderBy('chain_agent_id')
        .limit(limit)
      return rows.map((row) => ({
        chainAgentId: Number(row.chainAgentId),
        chainRegistry: String(row.chainRegistry),
      }))
    },

    async insert(trx: Knex.Transaction, agent: AgentRow): Promise<void> {
      await trx('agents').insert(columnsOf(agent))
    },

    /** Updates mutable fields; false if there is no such agent. */
    async update(trx: Knex.Transaction, svcId: string, changes: AgentChanges): Promise<boolean> {
      return (await trx('agents').where({ svc_id: svcId }).update(columnsOf(changes))) > 0
    },

    /** Stores when the agent first passed a runtime challenge. */
    async markChallengePassed(trx: Knex.Transaction, svcId: string, at: number): Promise<void> {
      await trx('agents')
        .where({ svc_id: svcId })
        .whereNull('challenge_passed_at')
        .update({ challenge_passed_at: at })
    },
  }
}

function columnsOf(fields: Partial<AgentRow>): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) {
    const isJson = JSON_FIELDS.has(field) && value !== null
    columns[COLUMNS[field as keyof AgentRow]] = isJson ? JSON.stringify(value) : value
  }
  return columns
}

function agentOf(row: Record<keyof AgentRow, unknown>): AgentRow {
  const { position: _, ...agent } = row as Record<string, unknown>
  for (const field of JSON_FIELDS as ReadonlySet<keyof AgentRow>) {
    const text = row[field]
    agent[field] = text === null ? null : JSON.parse(String(text))
  }
  for (const field of [
    'chainAgentId',
    'chainBlock',
    'challengePassedAt',
    'createdAt',
    'updatedAt',
  ] as const) {
    agent[field] = row[field] === null ? null : Number(row[field])
  }
  agent.isHeld = Boolean(row.isHeld)
  agent.isListed = Boolean(row.isListed)
  return agent as AgentRow
}
