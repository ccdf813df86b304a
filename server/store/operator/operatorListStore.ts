import type { Knex } from 'knex'
import { whereBeginsWith } from '../database/searchKey.ts'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'
import { type Intervention, JOINED_INTERVENTION, readJoinedIntervention } from './interventionStore.ts'

type Standing = { intervention: Omit<Intervention, 'subjectId'> | null }

/** An account in the list of operators; times are epoch milliseconds. */
export type ListedAccount = Standing & {
  /** UUIDv7. */
  id: string
  developerId: string
  email: string | null
  fullName: string | null
  role: 'user' | 'operator'
  kydVerifiedAt: number | null
  createdAt: number
}

/** An organisation in the list of operators. */
export type ListedOrganization = Standing & {
  id: string
  name: string
  /** `SVCD-` identifier of the account that created it. */
  createdBy: string
  memberCount: number
  createdAt: number
}

/** A claimed endpoint in the list of operators. */
export type ListedEndpoint = Standing & {
  /** UUIDv7. */
  id: string
  svceId: string
  ownerId: string
  name: string
  url: string
  tier: 'self_asserted' | 'domain_verified'
  status: 'active' | 'deactivated' | 'archived'
  createdAt: number
}

type TimedPage = { before: { at: number; id: string } | null; limit: number }

type Filter<Status> = { search: string | undefined; status: Status | undefined }

const ACCOUNT = {
  id: 'users.id',
  developerId: 'users.developer_id',
  email: 'users.email',
  fullName: 'users.full_name',
  role: 'users.role',
  kydVerifiedAt: 'users.kyd_verified_at',
  createdAt: 'users.created_at',
}

const ENDPOINT = {
  id: 'endpoints.id',
  svceId: 'endpoints.svce_id',
  ownerId: 'endpoints.owner_id',
  name: 'endpoints.name',
  url: 'endpoints.url',
  tier: 'endpoints.tier',
  status: 'endpoints.status',
  createdAt: 'endpoints.created_at',
  position: 'endpoints.position',
}

/** Each contains the condition of its partial index literally. */
const CLAIMED = {
  all: `endpoints.tier <> 'discovered'`,
  active: `endpoints.tier <> 'discovered' AND endpoints.status = 'active'`,
  deactivated: `endpoints.tier <> 'discovered' AND endpoints.status = 'deactivated'`,
  archived: `endpoints.tier <> 'discovered' AND endpoints.status = 'archived'`,
} as const

export type OperatorListStore = ReturnType<typeof createOperatorListStore>

/**
 * Reads the accounts, organisations and endpoints of everyone, for operators.
 *
 * A search term is a whole identifier, or the beginning of a name, an address or a host, so that an index finds it among
 * any number of rows.
 */
export function createOperatorListStore(query: Knex) {
  /** Rows of a table with an identifier or a text that fits the term, each found by its own index. */
  function find(table: string, search: string, by: { whole: string[]; beginning: string[] }) {
    const found = by.whole.map((column) => query(table).select(`${table}.id`).where(column, search))
    for (const column of by.beginning) {
      const rows = query(table).select(`${table}.id`)
      whereBeginsWith(query, rows, column, search)
      found.push(rows)
    }
    return found
  }

  /** The found rows come first, because the order of the list would otherwise have all rows read. */
  function from(table: string, found: Knex.QueryBuilder[] | null): Knex.QueryBuilder {
    if (found === null) return query(table)
    const [first, ...others] = found
    const union = (first as Knex.QueryBuilder).union(others)
    return query(union.as('found'))
      .crossJoin(table as never)
      .whereRaw(`${table}.id = found.id`)
  }

  function withStanding(
    rows: Knex.QueryBuilder,
    subject: string,
    status: 'active' | 'suspended' | undefined,
  ) {
    const isOn = ['interventions.subject_id', subject] as const
    if (status === 'suspended') rows.join('interventions', ...isOn)
    else rows.leftJoin('interventions', ...isOn)
    if (status === 'active') rows.whereNull('interventions.subject_id')
    return rows.select(JOINED_INTERVENTION)
  }

  return {
    /** Reads accounts, newest first. */
    async accounts(
      { search, status }: Filter<'active' | 'suspended'>,
      page: TimedPage,
    ): Promise<ListedAccount[]> {
      const found =
        search === undefined
          ? null
          : [
              ...find('users', search, { whole: ['id', 'developer_id'], beginning: ['email', 'full_name'] }),
              query('wallets').select('user_id as id').where({ address: search.toLowerCase() }),
            ]
      const rows = withStanding(from('users', found), 'users.developer_id', status).select(ACCOUNT)
      // UUIDv7s are in order of creation.
      if (page.before !== null) rows.where('users.id', '<', page.before.id)
      return (await rows.orderBy('users.id', 'desc').limit(page.limit)).map(accountOf)
    },

    /** Reads organisations, newest first. */
    async organizations(
      { search, status }: Filter<'active' | 'suspended'>,
      page: TimedPage,
    ): Promise<ListedOrganization[]> {
      const by = { whole: ['id'], beginning: ['name'] }
      const found = search === undefined ? null : find('organizations', search, by)
      const rows = withStanding(from('organizations', found), 'organizations.id', status)
        .join('users', 'users.id', 'organizations.created_by')
        .select({
          id: 'organizations.id',
          name: 'organizations.name',
          createdAt: 'organizations.created_at',
          createdBy: 'users.developer_id',
          memberCount: query('memberships')
            .count()
            .whereRaw('memberships.organization_id = organizations.id'),
        })
      if (page.before !== null) {
        const { at, id } = page.before
        rows.whereRaw('(organizations.created_at, organizations.id) < (?, ?)', [at, id])
      }
      rows.orderByRaw('organizations.created_at DESC, organizations.id DESC')
      return (await rows.limit(page.limit)).map(organizationOf)
    },

    /** Reads claimed endpoints, newest first; `nextBefore` is null at the end. */
    async endpoints(
      { search, status }: Filter<ListedEndpoint['status']>,
      page: { limit: number; before: number | null },
    ): Promise<StoredPage<ListedEndpoint>> {
      const by = { whole: ['id', 'svce_id', 'owner_id'], beginning: ['host', 'name'] }
      const found = search === undefined ? null : find('endpoints', search, by)
      const rows = withStanding(from('endpoints', found), 'endpoints.id', undefined)
        .select(ENDPOINT)
        .whereRaw(CLAIMED[status ?? 'all'])
      return cutPage(await orderNewestFirst(rows, page.before).limit(page.limit + 1), page.limit, endpointOf)
    },
  }
}

type Row = Record<string, unknown> & Parameters<typeof readJoinedIntervention>[0]

function accountOf(row: Row): ListedAccount {
  const kydVerifiedAt = row.kydVerifiedAt === null ? null : Number(row.kydVerifiedAt)
  return { ...(rowOf(row) as ListedAccount), kydVerifiedAt }
}

function organizationOf(row: Row): ListedOrganization {
  return { ...(rowOf(row) as ListedOrganization), memberCount: Number(row.memberCount) }
}

function endpointOf(row: Row): ListedEndpoint {
  return rowOf(row) as ListedEndpoint
}

function rowOf(row: Row): object {
  return { ...row, createdAt: Number(row.createdAt), intervention: readJoinedIntervention(row) }
}
