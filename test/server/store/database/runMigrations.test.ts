import { expect } from 'chai'
import { isPostgres } from '../../../../server/store/database/knexSettings.ts'
import { migrations } from '../../../../server/store/database/migrations/index.ts'
import type { NumberedMigration } from '../../../../server/store/database/numberedMigration.ts'
import { openDatabase } from '../../../../server/store/database/openDatabase.ts'
import { runMigrations } from '../../../../server/store/database/runMigrations.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const NEWEST = migrations.at(-1)?.name ?? ''

describe('a database that a newer release migrated', () => {
  let newer: TemporaryDatabase

  beforeEach(async () => {
    newer = await openTemporaryDatabase()
  })
  afterEach(() => newer.remove())

  /** Migrates as a release with further migrations would. */
  function migrateFurther(
    ...further: Pick<NumberedMigration, 'name' | 'oldestBeside'>[]
  ): Promise<string | null> {
    const added: NumberedMigration[] = further.map((one) => ({
      ...one,
      up: async (schema) => schema.schema.createTable(`of_${one.name}`, (t) => void t.text('id')),
      down: async (schema) => schema.schema.dropTable(`of_${one.name}`),
    }))
    return runMigrations(newer.db.query, [...migrations, ...added], { place: 'here' }).then(
      ({ warning }) => warning,
    )
  }

  /** Starts as this release does. */
  async function open(): Promise<string> {
    try {
      await (await openDatabase(newer.files)).close()
      return 'opened'
    } catch (error) {
      return (error as Error).message
    }
  }

  it('is refused with the names of the unknown migrations, and left as it is', async () => {
    await migrateFurther({ name: '9999_later' })
    const message = await open()
    expect(message).to.match(
      /^(\/\S+svc\.sqlite|Schema public of the database at DATABASE_URL) was migrated by a newer release/,
    )
    expect(message).to.contain('(9999_later): start that release, or restore a backup from before it')
    expect(await newer.db.query('knex_migrations').where({ name: '9999_later' })).to.have.length(1)
  })

  it('is opened if every unknown migration allows it, with a sentence for the operator', async () => {
    await migrateFurther(
      { name: '9998_wide', oldestBeside: NEWEST },
      { name: '9999_wider', oldestBeside: NEWEST },
    )
    expect(await open()).to.equal('opened')
    expect((await runMigrations(newer.db.query, migrations, { place: 'here' })).warning).to.equal(
      'here was migrated by a newer release (9998_wide, 9999_wider), beside which this one may run: complete the upgrade or the way back',
    )
  })

  it('is refused if a later migration requires one that this release does not know', async () => {
    await migrateFurther(
      { name: '9998_expand', oldestBeside: NEWEST },
      { name: '9999_contract', oldestBeside: '9998_expand' },
    )
    expect(await open()).to.contain('(9999_contract): start that release')
  })

  it('is opened only on PostgreSQL if the migration allows it there', async () => {
    await migrateFurther({ name: '9999_wide', oldestBeside: { postgres: NEWEST } })
    const expected = isPostgres(newer.db.query) ? 'opened' : '(9999_wide): start that release'
    expect(await open()).to.contain(expected)
  })

  it('is migrated one by one where the former release may run, whose requests then wait for one at most', async function () {
    if (testedDatabase !== 'postgres') return this.skip()
    const { query } = newer.db
    await query.schema
      .createTable('near', (t) => void t.text('id'))
      .createTable('far', (t) => void t.text('id'))
    const adding = (name: string, table: string): NumberedMigration => ({
      ...{ name, oldestBeside: NEWEST },
      up: (schema) => schema.schema.alterTable(table, (t) => void t.text('added')),
      down: (schema) => schema.schema.alterTable(table, (t) => t.dropColumns('added')),
    })
    const list = [...migrations, adding('9998_near', 'near'), adding('9999_far', 'far')]
    let migrating: Promise<unknown> | undefined
    await query.transaction(async (request) => {
      await request('far').select('id')
      migrating = runMigrations(query, list, { place: 'here' })
      await waitUntil(async () => {
        const { rows } = await request.raw(
          'SELECT 1 FROM pg_locks WHERE relation = ?::regclass AND NOT granted',
          ['far'],
        )
        return rows.length > 0 ? true : null
      })
      await request('near').select('id')
    })
    await migrating
    expect(await query('near').select('added')).to.deep.equal([])
  })

  it('is migrated although a migration was cancelled for a request of the former release', async () => {
    let attempts = 0
    const wide: NumberedMigration = {
      ...{ name: '9999_wide', oldestBeside: NEWEST },
      async up() {
        attempts += 1
        if (attempts === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      },
      down: async () => undefined,
    }
    expect(await runMigrations(newer.db.query, [...migrations, wide], { place: 'here' })).to.deep.equal({
      warning: null,
      unbuilt: [],
    })
    expect(attempts).to.equal(2)
  })

  it('is refused if the database does not record that the migration allows it', async () => {
    const further = { name: '9999_wide', oldestBeside: NEWEST }
    await migrateFurther(further)
    await newer.db.query('migration_compatibility').delete()
    expect(await open()).to.contain('(9999_wide): start that release')
  })
})
