import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createPostgresDatabase } from '../../../harness/database/postgres.ts'
import { queryDatabase } from '../../../harness/database/queryDatabase.ts'
import { testedDatabase } from '../../../harness/database/testedDatabase.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { runScript } from '../../../harness/service/runScript.ts'

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

describe('npm run archive', () => {
  const folder = createTemporaryFolder()
  after(() => folder.remove())

  it('refuses settings that name no database of a service, and creates none there', async () => {
    const DATA_DIR = join(folder.path, 'elsewhere')
    mkdirSync(DATA_DIR)
    const empty = testedDatabase === 'postgres' ? await createPostgresDatabase() : undefined
    const words = ['--before', '2020-01-31', '--to', join(folder.path, 'never.jsonl')]
    for (const [more, sentence] of [
      [{ DATA_DIR }, /^There is no database in .+elsewhere: set DATA_DIR/],
      ...(empty
        ? [[{ DATABASE_URL: empty.url, SECRETS_KEY }, /^The database contains no audit log/] as const]
        : []),
    ] as const) {
      const { code, stdout, stderr } = await runScript('archive.ts', words, more)
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.match(sentence)
    }
    expect(readdirSync(DATA_DIR)).to.deep.equal([])
    if (empty) {
      const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
      expect(await queryDatabase({ databaseUrl: empty.url, databaseFile: '' }, tables, [])).to.deep.equal([])
      await empty.drop()
    }
  })

  it('explains in a sentence what is wrong with its arguments', async () => {
    const soon = new Date().toISOString().slice(0, 10)
    for (const [words, sentence] of [
      [[], /^--before or --to is missing/],
      [['--before', 'yesterday', '--to', 'archive.jsonl'], /^--before must be a day such as 2026-01-31/],
      [['--before', '2026-02-31', '--to', 'archive.jsonl'], /^--before must be a day such as 2026-01-31/],
      [['--before', soon, '--to', 'archive.jsonl'], /^--before must be at least 30 days ago/],
    ] as const) {
      const { code, stderr } = await runScript('archive.ts', words, { DATA_DIR: folder.path })
      expect(code).to.equal(1)
      expect(stderr).to.match(sentence)
    }
  })
})
