import type { Knex } from 'knex'

export type DecisionContextStore = ReturnType<typeof createDecisionContextStore>

/** Keeps the rules that decisions were made by, each text once under its hash; nothing is ever taken away. */
export function createDecisionContextStore(query: Knex) {
  return {
    /** Safe to repeat, also by two at once. */
    async keep(hash: string, document: string): Promise<void> {
      await query('decision_contexts').insert({ hash, document }).onConflict('hash').ignore()
    },

    async read(hash: string): Promise<string | null> {
      const row = await query('decision_contexts').select('document').where({ hash }).first()
      return row?.document ?? null
    },
  }
}
