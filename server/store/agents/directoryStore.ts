import type { Knex } from 'knex'
import { cutPage, orderNewestFirst, type StoredPage } from '../database/storedPage.ts'

export type DirectoryStore = ReturnType<typeof createDirectoryStore>

/** Stores by which terms agents are found whose owners want that. */
export function createDirectoryStore(query: Knex) {
  return {
    /** Replaces the terms of an agent; none removes it from the directory. */
    async put(trx: Knex.Transaction, agentId: string, terms: readonly string[]): Promise<void> {
      await trx('directory_terms').where({ agent_id: agentId }).delete()
      if (terms.length === 0) return
      const agent = await trx('agents').select('position').where({ svc_id: agentId }).first()
      const position = Number(agent?.position)
      await trx.batchInsert(
        'directory_terms',
        terms.map((term) => ({ agent_id: agentId, term, position })),
        100,
      )
    },

    /** Reads the active agents that have all of these terms, of which there is at least one, newest first. */
    async find(
      [first, ...others]: readonly [string, ...string[]],
      page: { limit: number; before: number | null },
    ): Promise<StoredPage<string>> {
      const listed = query('directory_terms')
        .select({ svcId: 'agent_id', position: 'position' })
        .where({ term: first })
        .whereExists((agents) => {
          agents
            .select(query.raw('1'))
            .from('agents')
            .whereRaw('agents.svc_id = directory_terms.agent_id')
            .where({ status: 'active', is_held: false })
        })
      for (const term of others) {
        listed.whereExists((same) => {
          same
            .select(query.raw('1'))
            .from('directory_terms as same')
            .whereRaw('same.position = directory_terms.position')
            .where('same.term', term)
        })
      }
      const rows = await orderNewestFirst(listed, page.before).limit(page.limit + 1)
      return cutPage(rows, page.limit, ({ svcId }: { svcId: string }) => svcId)
    },
  }
}
