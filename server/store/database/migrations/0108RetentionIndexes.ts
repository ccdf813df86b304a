import type { NumberedMigration } from '../numberedMigration.ts'

const INDEXES = {
  alerts_created_at: 'alerts (created_at)',
  step_up_approvals_settled: `step_up_approvals (expires_at) WHERE status <> 'pending'`,
} as const

/** Indexes by which the retention job finds old alerts and settled approvals without scanning what is kept. */
export const retentionIndexes: NumberedMigration = {
  name: '0108_retention_indexes',
  async up(schema) {
    for (const [name, on] of Object.entries(INDEXES)) await schema.raw(`CREATE INDEX ${name} ON ${on}`)
  },
  async down(schema) {
    for (const name of Object.keys(INDEXES)) await schema.raw(`DROP INDEX ${name}`)
  },
}
