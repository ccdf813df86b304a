import type { Knex } from 'knex'

/** An ancestor of an agent; `distance` 1 is the parent. */
export type Ancestor = { svcId: string; name: string; status: string; distance: number }

export type LineageStore = ReturnType<typeof createLineageStore>

/** Stores the ancestors of agents. */
export function createLineageStore(query: Knex) {
  const livingBelow = (reader: Knex, ancestorId: string) =>
    reader('agent_ancestors')
      .join('agents', 'agents.svc_id', 'agent_ancestors.agent_id')
      .where('agent_ancestors.ancestor_id', ancestorId)
      .whereNot('agents.status', 'retired')
  return {
    /** Reads an agent’s ancestors, from its parent to its root. */
    async ancestorsOf(svcId: string, reader: Knex = query): Promise<Ancestor[]> {
      const rows = await reader('agent_ancestors')
        .join('agents', 'agents.svc_id', 'agent_ancestors.ancestor_id')
        .select({
          svcId: 'agents.svc_id',
          name: 'agents.name',
          status: 'agents.status',
          distance: 'agent_ancestors.distance',
        })
        .where('agent_ancestors.agent_id', svcId)
        .orderBy('agent_ancestors.distance')
      return rows.map((row) => ({ ...row, distance: Number(row.distance) }))
    },

    /** Counts an agent’s descendants that are not retired. */
    async countLiving(ancestorId: string, reader: Knex = query): Promise<number> {
      const row = await livingBelow(reader, ancestorId).count({ n: '*' }).first()
      return Number(row?.n ?? 0)
    },

    /** Reads an agent’s descendants that are not retired, nearest first; their number is bounded on creation. */
    async livingBelow(trx: Knex.Transaction, ancestorId: string): Promise<string[]> {
      const rows = await livingBelow(trx, ancestorId)
        .select({ svcId: 'agents.svc_id' })
        .orderBy(['agent_ancestors.distance', 'agents.position'])
      return rows.map((row) => String(row.svcId))
    },

    /** Reads those descendants of an agent that have an inactive ancestor. */
    async heldBelow(trx: Knex.Transaction, ancestorId: string): Promise<Set<string>> {
      const rows = await trx('agent_ancestors')
        .join('agents', 'agents.svc_id', 'agent_ancestors.ancestor_id')
        .distinct({ svcId: 'agent_ancestors.agent_id' })
        .whereNot('agents.status', 'active')
        .whereIn(
          'agent_ancestors.agent_id',
          trx('agent_ancestors').select('agent_id').where({ ancestor_id: ancestorId }),
        )
      return new Set(rows.map((row) => String(row.svcId)))
    },

    /** @param ancestors Identifiers, the parent first. */
    async insert(trx: Knex.Transaction, svcId: string, ancestors: readonly string[]): Promise<void> {
      await trx('agent_ancestors').insert(
        ancestors.map((ancestor, above) => ({ agent_id: svcId, ancestor_id: ancestor, distance: above + 1 })),
      )
    },
  }
}
