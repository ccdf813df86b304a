import { expect } from 'chai'
import type { Knex } from 'knex'
import { createMigrationSource } from '../../../../../server/store/database/numberedMigration.ts'
import { feedMigrations } from '../../../../../server/store/feed/migrations/index.ts'

/**
 * Takes a migration of the feed up, down and up again. Each time, it has to empty the feed, so that it is filled from the
 * beginning of the log.
 *
 * @param use Fills and reads what the migration has added.
 */
export function walkFeedMigration(name: string, table: string, use: (query: Knex) => Promise<void>) {
  const before = feedMigrations.findIndex((migration) => migration.name === name)
  const to = (count: number) => ({ migrationSource: createMigrationSource(feedMigrations.slice(0, count)) })
  return async (query: Knex): Promise<void> => {
    const readNext = async () => Number((await query('projection_state').first()).next_seq)
    await query.migrate.latest(to(before))
    for (let times = 0; times < 2; times += 1) {
      await query('projection_state').update({ next_seq: 7 })
      await query('record_positions').insert({ record_id: 'a', seq: 6 })
      await query.migrate.latest(to(before + 1))
      expect([await readNext(), await query('record_positions')]).to.deep.equal([0, []])
      await use(query)
      await query.migrate.down(to(before + 1))
      expect(await query.schema.hasTable(table)).to.equal(false)
    }
  }
}
