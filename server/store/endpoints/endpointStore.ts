import type { AccessLevel } from '@svc/core/access/decision.ts'
import type { EndpointTier, RequirableFact, UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'
import type { IdentityProof } from '@svc/core/access/identityProof.ts'
import type { Pdlss } from '@svc/core/pdlss/pdlss.ts'
import type { Knex } from 'knex'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'

type EndpointStatus = 'active' | 'deactivated' | 'archived'

/**
 * What a route of the endpoint requires of a request; without `method`, for all methods, and without `minIdentityProof`, no
 * proof. Source: `Spec: Client library contract`.
 */
export type EndpointRoute = {
  pattern: string
  method?: string
  minAccessLevel: AccessLevel
  minIdentityProof?: IdentityProof
}

/** A stored endpoint; times are epoch milliseconds. */
export type EndpointRow = {
  /** UUIDv7, which discovery and claiming do not change. */
  id: string
  /** Null before the endpoint is claimed. */
  svceId: string | null
  /** `SVCO-`; for a discovered endpoint also `SVCD-`. */
  ownerId: string
  tier: Exclude<EndpointTier, 'unknown'>
  status: EndpointStatus
  counterpartyType: string
  name: string
  /** Normal form (`core/url/url.ts`). */
  url: string
  /** Host of the URL, without port. */
  host: string
  trustScoreRequirement: number
  unverifiedAgentPolicy: UnverifiedAgentPolicy
  requiredFacts: RequirableFact[]
  minIdentityProof: IdentityProof
  /** Further hosts, with ports unless they are the default, under which agents reach it. */
  authorities: string[]
  /** Every answer about a registered agent comes with a receipt, unless the request says otherwise. */
  includeReceipt: boolean
  pdlss: Pdlss
  /** 16 bytes in hex. */
  pdlssSalt: string
  pdlssHash: `0x${string}`
  routes: EndpointRoute[]
  /** Encrypted; null before the endpoint is claimed. */
  webhookSecret: string | null
  webhookSecretLastFour: string | null
  webhookUrl: string | null
  createdAt: number
  updatedAt: number
}

/** The names and the status of an endpoint, and its position in the order of arrival. */
type EndpointName = Pick<EndpointRow, 'id' | 'svceId' | 'name' | 'url' | 'status'> & { position: number }

const COLUMNS = {
  id: 'id',
  svceId: 'svce_id',
  ownerId: 'owner_id',
  tier: 'tier',
  status: 'status',
  counterpartyType: 'counterparty_type',
  name: 'name',
  url: 'url',
  host: 'host',
  trustScoreRequirement: 'trust_score_requirement',
  unverifiedAgentPolicy: 'unverified_agent_policy',
  requiredFacts: 'required_facts',
  minIdentityProof: 'min_identity_proof',
  authorities: 'authorities',
  includeReceipt: 'include_receipt',
  pdlss: 'pdlss',
  pdlssSalt: 'pdlss_salt',
  pdlssHash: 'pdlss_hash',
  routes: 'routes',
  webhookSecret: 'webhook_secret',
  webhookSecretLastFour: 'webhook_secret_last_four',
  webhookUrl: 'webhook_url',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const satisfies Record<keyof EndpointRow, string>

const JSON_FIELDS: ReadonlySet<string> = new Set(['requiredFacts', 'authorities', 'pdlss', 'routes'])

/** Which endpoints to list: claimed ones, optionally with others, or only one kind of the others. */
export type EndpointsWanted = { discovered: boolean; archived: boolean } | { only: 'claimable' | 'archived' }

/** Each is exactly the condition of its partial index. */
const ONLY = {
  claimable: `tier = 'discovered' AND status = 'active'`,
  archived: `tier <> 'discovered' AND status = 'archived'`,
} as const

/** Whose domain is verified and checked every day. */
const IS_PROVEN = `tier = 'domain_verified' AND status = 'active'`

export type EndpointStore = ReturnType<typeof createEndpointStore>

/**
 * Stores endpoints.
 *
 * Two partial unique indexes enforce what no check in a service can: one claimed endpoint per URL, and one discovered
 * endpoint per URL and owner. Both exclude archived endpoints.
 */
export function createEndpointStore(query: Knex) {
  const firstOf = async (builder: Knex.QueryBuilder): Promise<EndpointRow | null> => {
    const row = await builder.select(COLUMNS).first()
    return row ? endpointOf(row) : null
  }
  /**
   * Selects endpoints of these owners, newest first.
   *
   * The tier is a literal, because SQLite uses a partial index only if the text of the statement implies its condition.
   */
  const ofOwners = (ownerIds: readonly string[], wanted: EndpointsWanted, before: number | null) => {
    const endpoints = query('endpoints').whereIn('owner_id', [...ownerIds])
    if ('only' in wanted) endpoints.whereRaw(ONLY[wanted.only])
    else if (!wanted.discovered) endpoints.whereRaw(`tier <> 'discovered'`)
    if ('archived' in wanted && !wanted.archived) endpoints.whereNot({ status: 'archived' })
    return orderNewestFirst(endpoints, before)
  }
  return {
    /** Reads an endpoint by `SVCE-` identifier or UUID. */
    byAnyId: (id: string, reader: Knex = query) =>
      firstOf(reader('endpoints').where(id.startsWith('SVCE-') ? { svce_id: id } : { id: id.toLowerCase() })),

    /** Reads the claimed endpoint with a normalised URL, whoever owns it; discovered and archived ones are ignored. */
    claimedByUrl: (url: string, reader: Knex = query) =>
      firstOf(reader('endpoints').where({ url }).whereRaw(`tier <> 'discovered' AND status <> 'archived'`)),

    /**
     * Reads the endpoint to which a request belongs: the one with the longest path among these URLs, over either scheme.
     * Claimed ones come before what the owner has discovered; the owner's archived ones count if their path is longer, so
     * that an archived endpoint stays closed. So does one that was archived before it was claimed, until the URL is claimed.
     * Without any, it is what the owner has discovered on the host first: rows grow with hosts, not with paths.
     */
    async byContainingUrls(
      urls: readonly string[],
      { ownerId, host }: { ownerId: string; host: string },
      reader: Knex = query,
    ): Promise<EndpointRow | null> {
      const longest = (condition: string, owner: object = {}) =>
        firstOf(
          reader('endpoints')
            .whereIn('url', [...urls])
            .where(owner)
            .whereRaw(condition)
            .orderByRaw(`${PATH_LENGTH} DESC, position DESC`),
        )
      const owner = { owner_id: ownerId }
      const claimed = await longest(`tier <> 'discovered' AND status <> 'archived'`)
      const archived = await longest(ONLY.archived, owner)
      if (archived && (claimed === null || pathLengthOf(archived) > pathLengthOf(claimed))) return archived
      if (claimed) return claimed
      const discovered = await longest(`tier = 'discovered' AND status <> 'archived'`, owner)
      const closed = await longest(`tier = 'discovered' AND status = 'archived'`, owner)
      if (closed && (discovered === null || pathLengthOf(closed) >= pathLengthOf(discovered))) return closed
      if (discovered) return discovered
      const onHost = reader('endpoints').where({ ...owner, host })
      return firstOf(onHost.whereRaw(ONLY.claimable).orderBy('position'))
    },

    /** Whether a person has discovered a host, in their own name or in that of an organisation that they created. */
    async hasDiscovered(personId: string, host: string, reader: Knex = query): Promise<boolean> {
      const row = await reader('endpoints')
        .select('id')
        .where({ host })
        .whereRaw(ONLY.claimable)
        .where((own) => {
          own
            .whereIn('owner_id', reader('users').select('developer_id').where({ id: personId }))
            .orWhereIn('owner_id', reader('organizations').select('id').where({ created_by: personId }))
        })
        .first()
      return row !== undefined
    },

    /**
     * Reads the claimed endpoints of other owners on a host, or only those with one of the given URLs; those whose domain is
     * verified come first.
     */
    async claimedByOthers(
      { host, urls, ownerId }: { host: string; urls?: readonly string[]; ownerId: string },
      limit: number,
      reader: Knex = query,
    ): Promise<EndpointRow[]> {
      const found = reader('endpoints').whereNot({ owner_id: ownerId })
      if (urls) found.whereIn('url', [...urls])
      else found.where({ host })
      const rows = await found
        .whereRaw(`tier <> 'discovered' AND status <> 'archived'`)
        .orderByRaw(`CASE WHEN ${IS_PROVEN} THEN 0 ELSE 1 END, position`)
        .select(COLUMNS)
        .limit(limit)
      return rows.map(endpointOf)
    },

    /** Counts the claimed endpoints of an owner on a host. */
    async countOnHost(trx: Knex.Transaction, host: string, ownerId: string): Promise<number> {
      const row = await trx('endpoints')
        .count({ endpoints: 'id' })
        .where({ host, owner_id: ownerId })
        .whereRaw(`tier <> 'discovered' AND status <> 'archived'`)
        .first()
      return Number(row?.endpoints)
    },

    /** Reads an owner’s discovered endpoint with a normalised URL. */
    discoveredByUrl: (ownerId: string, url: string, reader: Knex = query) =>
      firstOf(
        reader('endpoints')
          .where({ url, owner_id: ownerId })
          .whereRaw(`tier = 'discovered' AND status <> 'archived'`),
      ),

    /**
     * Reads endpoints of these owners, newest first, restricted to `among` if it is given; `nextBefore` is null at the end.
     */
    async listByOwners(
      ownerIds: readonly string[],
      wanted: EndpointsWanted,
      page: { limit: number; before: number | null },
      among?: readonly string[],
    ): Promise<StoredPage<EndpointRow>> {
      const rows = await ofOwners(ownerIds, wanted, page.before)
        .select({ ...COLUMNS, position: 'position' })
        .modify((builder) => {
          if (among) builder.whereIn('id', [...among])
        })
        .limit(page.limit + 1)
      return cutPage(rows, page.limit, endpointOf)
    },

    /** Reads the names and states of these owners’ endpoints, newest first, without their boundaries. */
    async namesByOwners(
      ownerIds: readonly string[],
      wanted: EndpointsWanted,
      page: { limit: number; before: number | null },
    ): Promise<EndpointName[]> {
      const rows = await ofOwners(ownerIds, wanted, page.before)
        .select({
          id: 'id',
          svceId: 'svce_id',
          name: 'name',
          url: 'url',
          status: 'status',
          position: 'position',
        })
        .limit(page.limit)
      return rows.map((row: EndpointName) => ({ ...row, position: Number(row.position) }))
    },

    /** @throws The driver’s unique-constraint error if the URL is taken. */
    async insert(trx: Knex.Transaction, endpoint: EndpointRow): Promise<void> {
      await trx('endpoints').insert(columnsOf(endpoint))
    },

    /** Updates the given fields; false if there is no such endpoint. */
    async update(
      trx: Knex.Transaction,
      id: string,
      changes: Partial<Omit<EndpointRow, 'id' | 'createdAt'>>,
    ): Promise<boolean> {
      return (await trx('endpoints').where({ id }).update(columnsOf(changes))) > 0
    },
  }
}

/** Compares paths, because the URLs that contain another one differ only in these and in the scheme. */
const PATH_LENGTH = `length(url) - CASE WHEN url LIKE 'https:%' THEN 1 ELSE 0 END`

const pathLengthOf = ({ url }: EndpointRow): number => url.length - (url.startsWith('https:') ? 1 : 0)

function columnsOf(fields: Partial<EndpointRow>): Record<string, unknown> {
  const columns: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(fields)) {
    columns[COLUMNS[field as keyof EndpointRow]] = JSON_FIELDS.has(field) ? JSON.stringify(value) : value
  }
  return columns
}

function endpointOf(row: Record<keyof EndpointRow, unknown>): EndpointRow {
  const { position: _, ...endpoint } = row as Record<string, unknown>
  endpoint.requiredFacts = JSON.parse(String(row.requiredFacts))
  endpoint.authorities = JSON.parse(String(row.authorities))
  endpoint.includeReceipt = Boolean(row.includeReceipt)
  endpoint.pdlss = JSON.parse(String(row.pdlss))
  endpoint.routes = JSON.parse(String(row.routes))
  endpoint.trustScoreRequirement = Number(row.trustScoreRequirement)
  endpoint.createdAt = Number(row.createdAt)
  endpoint.updatedAt = Number(row.updatedAt)
  return endpoint as EndpointRow
}
