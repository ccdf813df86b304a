import type { Knex } from 'knex'
import { revokeForOrganization } from '../accounts/signingRevocations.ts'
import { type Person, readPerson } from './person.ts'
import { PERSONAL_TABLES, type PersonalTable } from './personalTables.ts'

/** The name of an agent, endpoint or organisation whose owner was erased. */
const ERASED_NAME = 'Erased'
const ERASED_STRANGER = 'erased'

export type PersonalStore = ReturnType<typeof createPersonalStore>

type Stage = Extract<PersonalTable['erased'], string>

/** Erases what the service stores of a person, except records; each function can be repeated. */
export function createPersonalStore(query: Knex) {
  return {
    person: (userId: string, run: Knex = query): Promise<Person | null> => readPerson(run, userId),

    /** Reads the hashes of an account's API keys, which caches have to forget. */
    async keyHashes(trx: Knex.Transaction, userId: string): Promise<string[]> {
      const rows = await trx('api_keys').select('key_hash').where({ user_id: userId })
      return rows.map(({ key_hash }) => String(key_hash))
    },

    /** Reads the sessions of an account, open or not. */
    async sessionIds(trx: Knex.Transaction, userId: string): Promise<string[]> {
      return (await trx('sessions').select('id').where({ user_id: userId })).map(({ id }) => String(id))
    },

    /** Reads the organisations that an account created or belongs to. */
    async organizationIds(trx: Knex.Transaction, userId: string): Promise<string[]> {
      const joined = trx('memberships').select('organization_id').where({ user_id: userId })
      const rows = await trx('organizations')
        .select('id')
        .where({ created_by: userId })
        .orWhereIn('id', joined)
        .orderBy('id')
      return rows.map(({ id }) => String(id))
    },

    /**
     * Makes somebody answer for an organisation. Accounts that were revoked for its agents stay revoked, and those that
     * whoever answers for it now has unlinked are, too; the other unlinked wallets of the former creator concern nobody
     * else.
     */
    async setCreator(
      trx: Knex.Transaction,
      organizationId: string,
      { userId, now }: { userId: string; now: number },
    ): Promise<void> {
      const id = { id: organizationId }
      const former = await trx('organizations').select('created_by').where(id).first()
      await trx('organizations').update({ created_by: userId }).where(id)
      if (!former || former.created_by === userId) return
      const named = listNamedAccounts(trx, organizationId)
      const unlinkedBy = (id: string) => trx('unlinked_wallets').select('address').where({ user_id: id })
      await trx('revoked_accounts')
        .delete()
        .where({ organization_id: organizationId })
        .whereIn('address', unlinkedBy(former.created_by))
        .where((others) => {
          for (const addresses of named) others.whereNotIn('address', addresses.clone())
        })
      const unlinked: { address: string }[] = await unlinkedBy(userId).where((concerned) => {
        for (const addresses of named) concerned.orWhereIn('address', addresses.clone())
      })
      await revokeForOrganization(trx, {
        organizationId,
        addresses: unlinked.map(({ address }) => address),
        now,
      })
    },

    /** Deletes the rows of all tables that belong to a stage. */
    async deleteRows(trx: Knex.Transaction, person: Person, stage: Stage): Promise<void> {
      for (const table of Object.values<PersonalTable>(PERSONAL_TABLES)) {
        if (table.erased === stage) await table.rows(trx, person).delete()
      }
    },

    /**
     * Removes for whom, and from which network, the relayer has paid and will pay. What is not sent yet stays that of a
     * stranger, without saying whose, so that it uses up only the share of strangers.
     */
    async forgetPayer(trx: Knex.Transaction, userId: string): Promise<void> {
      await trx('relayer_intents')
        .where({ account_id: userId })
        .orWhere({ stranger_id: userId })
        .update({
          account_id: null,
          network: null,
          stranger_id: trx.raw('CASE WHEN stranger_id IS NOT NULL AND settled_at IS NULL THEN ? END', [
            ERASED_STRANGER,
          ]),
        })
    },

    /** Removes everything from the account but its identifiers, and the names of organisations that only it had. */
    async blankAccount(trx: Knex.Transaction, person: Person): Promise<void> {
      await trx('users').where({ id: person.userId }).update({
        email: null,
        email_verified_at: null,
        password_hash: null,
        full_name: null,
        kyd_verified_at: null,
        role: 'user',
      })
      await PERSONAL_TABLES.organizations.rows(trx, person).update({ name: ERASED_NAME })
      await trx('invitations')
        .whereIn('organization_id', [...person.ownerIds])
        .delete()
    },

    /** Reads the next agents that are not erased. */
    async agentsLeft(person: Person, limit: number): Promise<string[]> {
      const rows = await PERSONAL_TABLES.agents
        .rows(query, person)
        .select('svc_id')
        .where((left) => {
          left.whereNot({ name: ERASED_NAME }).orWhereIn('status', ['active', 'suspended'])
        })
        .orderBy('position')
        .limit(limit)
      return rows.map(({ svc_id }: { svc_id: string }) => svc_id)
    },

    /** Removes everything from an agent but its identifiers, its status and its place on chain. */
    async blankAgent(trx: Knex.Transaction, svcId: string): Promise<void> {
      const empty = {
        protocols: '[]',
        declarations: '{}',
        pdlss: '{}',
        approval_rules: '[]',
        certifications: '[]',
      }
      const unset = [
        'description',
        'agent_type',
        'api_endpoint',
        'image',
        'model',
        'framework',
        'signer_address',
      ]
      await trx('agents')
        .where({ svc_id: svcId })
        .update({
          ...empty,
          ...Object.fromEntries(unset.map((column) => [column, null])),
          name: ERASED_NAME,
          pdlss_salt: '',
        })
      await trx('agent_keys').where({ agent_id: svcId }).update({ name: ERASED_NAME })
    },

    /** Reads the next endpoints that are not erased, by internal id. */
    async endpointsLeft(person: Person, limit: number): Promise<string[]> {
      const rows = await PERSONAL_TABLES.endpoints
        .rows(query, person)
        .select('id')
        .where((left) => {
          left.whereNot({ name: ERASED_NAME }).orWhereNot({ status: 'archived' })
        })
        .orderBy('position')
        .limit(limit)
      return rows.map(({ id }: { id: string }) => id)
    },

    /** Archives an endpoint and removes everything from it but its identifiers. */
    async blankEndpoint(trx: Knex.Transaction, id: string): Promise<void> {
      const unset = ['webhook_secret', 'webhook_secret_last_four', 'webhook_url', 'previous_webhook_secret']
      await trx('endpoints')
        .where({ id })
        .update({
          ...Object.fromEntries(unset.map((column) => [column, null])),
          ...{ status: 'archived', name: ERASED_NAME, url: `https://erased.invalid/${id}` },
          ...{ host: 'erased.invalid', authorities: '[]', routes: '[]', pdlss: '{}', pdlss_salt: '' },
        })
    },
  }
}

/** The addresses that agents of an owner name: who signed the registration, holds the token, or is its `agentWallet`. */
function listNamedAccounts(trx: Knex.Transaction, ownerId: string): Knex.QueryBuilder[] {
  const agents = () => trx('agents').where({ owner_id: ownerId })
  const tokens = () => trx('agent_tokens').whereIn('svc_id', agents().select('svc_id'))
  return [
    agents().whereNotNull('signer_address').select(trx.raw('LOWER(signer_address)')),
    ...['holder', 'wallet'].map((column) =>
      tokens()
        .whereNotNull(column)
        .select(trx.raw('LOWER(??)', [column])),
    ),
  ]
}
