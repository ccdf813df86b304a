import { createCipheriv } from 'node:crypto'
import { expect } from 'chai'
import { createDocumentBox } from '../../../../server/external/documentBox.ts'
import { createSecretBox, type SealContext } from '../../../../server/external/keys/secretBox.ts'
import { createSecretsKeys } from '../../../../server/external/keys/secretsKeys.ts'
import { type RotateSecretsDeps, rotateSecrets } from '../../../../server/services/secrets/rotateSecrets.ts'
import { SEALED_COLUMNS, type SealedColumn } from '../../../../server/services/secrets/sealedValues.ts'
import { createSealedValueStore } from '../../../../server/store/secrets/sealedValueStore.ts'
import { createSecretsKeyStore } from '../../../../server/store/secrets/secretsKeyStore.ts'
import {
  openTemporaryDatabase,
  type TemporaryDatabase,
} from '../../../harness/database/openTemporaryDatabase.ts'

type Bytes = Uint8Array<ArrayBuffer>

const FORMER = new Uint8Array(32).fill(1)
const CURRENT = new Uint8Array(32).fill(2)
const [{ id: FORMER_ID }] = createSecretsKeys(FORMER)
const [{ id: CURRENT_ID }] = createSecretsKeys(CURRENT)
/** More than a page of documents. */
const ROWS = ['a', 'b', 'c', 'd', 'e']

const boxesOf = (...given: [Bytes, ...Bytes[]]) => {
  const keys = createSecretsKeys(...given)
  return { keys, secrets: createSecretBox(keys), documents: createDocumentBox(keys) }
}
const former = boxesOf(FORMER)

describe('rotateSecrets', () => {
  let database: TemporaryDatabase
  let deps: RotateSecretsDeps
  /** The keys of running processes, as they show them. */
  let running: (string | null)[]
  beforeEach(async () => {
    database = await openTemporaryDatabase()
    const { query, transaction } = database.db
    const used = createSecretsKeyStore(query)
    running = [CURRENT_ID]
    deps = {
      ...{ values: createSealedValueStore(query), used, boxes: boxesOf(CURRENT, FORMER), transaction },
      running: async () => running,
    }
    await used.add(FORMER_ID)
    await used.add(CURRENT_ID)
    for (const id of ROWS) await insertSealed(id)
  })
  afterEach(() => database.remove())

  /** Inserts a row into every table with a sealed column, its values under the former key. */
  async function insertSealed(id: string): Promise<void> {
    await insert('users', { id })
    for (const table of new Set(SEALED_COLUMNS.map((column) => column.table))) {
      const columns = SEALED_COLUMNS.filter((column) => column.table === table)
      const sealed = columns.map((column) => [column.column, seal(column, keyOf(column, id))])
      await insert(table, { ...Object.fromEntries(sealed), ...keysOf(columns, id) })
    }
  }

  /** Fills what a table requires besides with anything. */
  async function insert(table: string, row: Record<string, unknown>): Promise<void> {
    const { query } = database.db
    const columns = Object.entries(await query(table).columnInfo())
    const required = columns.filter(
      ([name, { nullable, defaultValue }]) =>
        !nullable && (defaultValue ?? null) === null && name !== 'position',
    )
    const rest = required.map(([name, { type }]) => [name, /int/i.test(type) ? 0 : Object.values(row).at(-1)])
    await query(table).insert({ ...Object.fromEntries(rest), ...row })
  }

  const pages = async (column: SealedColumn) => deps.values.page(column, null, 100)

  /** Opens every value with one key only, and returns what is in it. */
  async function openAll({ secrets, documents }: ReturnType<typeof boxesOf>): Promise<string[]> {
    const opened: string[] = []
    for (const column of SEALED_COLUMNS) {
      for (const { key, value } of await pages(column)) {
        const context = column.context(...key)
        opened.push(
          typeof value === 'string'
            ? secrets.open(value, context)
            : Buffer.from(documents.open(value, context)).toString(),
        )
      }
    }
    return opened
  }

  it('encrypts the values of every column with the current key, and forgets the former one', async () => {
    const before = await openAll(former)
    const rotation = await rotateSecrets(deps)
    expect(rotation).to.deep.include({ stillUsed: [], isDone: true })
    for (const column of rotation.columns)
      expect(column, column.name).to.include({ reencrypted: ROWS.length, current: ROWS.length })
    expect(await openAll(boxesOf(CURRENT))).to.deep.equal(before)
    expect(before).to.have.length(ROWS.length * SEALED_COLUMNS.length)
    expect(await deps.used.list()).to.deep.equal([CURRENT_ID])
  })

  it('changes nothing the second time', async () => {
    await rotateSecrets(deps)
    const before = await Promise.all(SEALED_COLUMNS.map(pages))
    const { columns } = await rotateSecrets(deps)
    expect(columns.map(({ reencrypted }) => reencrypted)).to.deep.equal(SEALED_COLUMNS.map(() => 0))
    expect(await Promise.all(SEALED_COLUMNS.map(pages))).to.deep.equal(before)
  })

  it('continues where it was interrupted', async () => {
    let transactions = 0
    const interrupted: RotateSecretsDeps = {
      ...deps,
      async transaction(work) {
        if (++transactions > 4) throw new Error('killed')
        return deps.transaction(work)
      },
    }
    await rotateSecrets(interrupted).catch((error: Error) => expect(error.message).to.equal('killed'))
    expect(await deps.used.list()).to.have.members([FORMER_ID, CURRENT_ID])
    expect(await openAll(deps.boxes)).to.have.length(ROWS.length * SEALED_COLUMNS.length)
    expect((await rotateSecrets(deps)).stillUsed).to.deep.equal([])
    await openAll(boxesOf(CURRENT))
  })

  it('never overwrites a value that was replaced in the meantime', async () => {
    const column = columnNamed('totp_factors', 'sealed_secret')
    const enrolled = deps.boxes.secrets.seal('enrolled again', column.context('a'))
    let isFirst = true
    await rotateSecrets({
      ...deps,
      async transaction(work) {
        if (isFirst)
          await database.db.query('totp_factors').where({ user_id: 'a' }).update({ sealed_secret: enrolled })
        isFirst = false
        return deps.transaction(work)
      },
    })
    expect((await pages(column))[0]?.value).to.equal(enrolled)
  })

  it('encrypts values of the first version, which name no key', async () => {
    const column = columnNamed('totp_factors', 'sealed_secret')
    const value = sealFirstVersion('old', column.context('a'))
    await database.db.query('totp_factors').where({ user_id: 'a' }).update({ sealed_secret: value })
    expect((await rotateSecrets(deps)).stillUsed).to.deep.equal([])
    expect(
      boxesOf(CURRENT).secrets.open(String((await pages(column))[0]?.value), column.context('a')),
    ).to.equal('old')
  })

  it('still needs the former keys while a value cannot be read, and names its row', async () => {
    const column = columnNamed('totp_factors', 'sealed_secret')
    const lost = boxesOf(new Uint8Array(32).fill(3)).secrets.seal('lost', column.context('b'))
    await database.db.query('totp_factors').where({ user_id: 'b' }).update({ sealed_secret: lost })
    const { columns, stillUsed, isDone } = await rotateSecrets(deps)
    expect(stillUsed).to.deep.equal([FORMER_ID])
    expect(isDone).to.equal(false)
    expect(columns.find(({ name }) => name === 'totp_factors.sealed_secret')?.unreadable).to.deep.equal(['b'])
  })

  it('still needs the former key while a process encrypts with it', async () => {
    const column = columnNamed('totp_factors', 'sealed_secret')
    let nth = 0
    const { stillUsed } = await rotateSecrets({
      ...deps,
      async transaction(work) {
        const result = await deps.transaction(work)
        const sealed = former.secrets.seal(`again ${nth++}`, column.context('a'))
        await database.db.query('totp_factors').where({ user_id: 'a' }).update({ sealed_secret: sealed })
        return result
      },
    })
    expect(stillUsed).to.deep.equal([FORMER_ID])
  })

  it('is not done while a value cannot be read, even if no former key is known', async () => {
    await rotateSecrets(deps)
    const column = columnNamed('totp_factors', 'sealed_secret')
    const lost = boxesOf(new Uint8Array(32).fill(3)).secrets.seal('lost', column.context('b'))
    await database.db.query('totp_factors').where({ user_id: 'b' }).update({ sealed_secret: lost })
    expect(await rotateSecrets(deps)).to.deep.include({ stillUsed: [], isDone: false })
  })

  it('still needs the former key while a running process uses it, although that has written nothing', async () => {
    running = [CURRENT_ID, FORMER_ID]
    expect(await rotateSecrets(deps)).to.deep.include({ stillUsed: [FORMER_ID], isDone: false })
    expect(await deps.used.list()).to.have.members([FORMER_ID, CURRENT_ID])
    running = [CURRENT_ID]
    expect(await rotateSecrets(deps)).to.deep.include({ stillUsed: [], isDone: true })
  })

  it('still needs the key of a running process that has been forgotten', async () => {
    await rotateSecrets(deps)
    running = [FORMER_ID]
    expect(await rotateSecrets(deps)).to.deep.include({ stillUsed: [FORMER_ID], isDone: false })
  })

  it('looks once more for what a process has written that ended during a pass', async () => {
    const column = columnNamed('totp_factors', 'sealed_secret')
    await rotateSecrets(deps)
    let reads = 0
    const ending: RotateSecretsDeps = {
      ...deps,
      async running() {
        // The last value is written behind the first pass.
        return ++reads === 1 ? [FORMER_ID] : [CURRENT_ID]
      },
      values: {
        ...deps.values,
        async page(given, after, limit) {
          const found = await deps.values.page(given, after, limit)
          if (given === SEALED_COLUMNS.at(-1) && reads === 1) {
            const sealed = former.secrets.seal('late', column.context('a'))
            await database.db.query('totp_factors').where({ user_id: 'a' }).update({ sealed_secret: sealed })
          }
          return found
        },
      },
    }
    expect(await rotateSecrets(ending)).to.deep.include({ stillUsed: [], isDone: true })
    expect(await openAll(boxesOf(CURRENT))).to.include('late')
  })

  it('is not done while it is not known with which key a process runs', async () => {
    running = [CURRENT_ID, null]
    expect(await rotateSecrets(deps)).to.deep.include({ stillUsed: [FORMER_ID], isDone: false })
    await deps.transaction((trx) => createSecretsKeyStore(database.db.query).removeOthers(trx, CURRENT_ID))
    expect(await rotateSecrets(deps)).to.deep.include({ stillUsed: [], isDone: false })
  })

  it('refuses a key that the service has never started with', async () => {
    const boxes = boxesOf(new Uint8Array(32).fill(4), CURRENT, FORMER)
    await rotateSecrets({ ...deps, boxes }).then(
      () => expect.fail('rotated'),
      (error: Error) =>
        expect(error.message).to.match(/^The service has never started with this SECRETS_KEY/),
    )
    expect(await openAll(former)).to.have.length(ROWS.length * SEALED_COLUMNS.length)
  })
})

function columnNamed(table: string, name: string): SealedColumn {
  const found = SEALED_COLUMNS.find((column) => column.table === table && column.column === name)
  if (found === undefined) throw new Error(`${table}.${name} is not listed`)
  return found
}

function keyOf({ key }: SealedColumn, id: string): string[] {
  return key.map((name) => `${id}${name === 'kind' ? '-kind' : ''}`)
}

function keysOf(columns: readonly SealedColumn[], id: string): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap((column) => column.key.map((name, i) => [name, keyOf(column, id)[i] ?? ''])),
  )
}

function seal(column: SealedColumn, key: string[]): string | Buffer {
  const [text, context] = [`${column.table} ${column.column} ${key.join(' ')}`, column.context(...key)]
  return column.box === 'secrets'
    ? former.secrets.seal(text, context)
    : Buffer.from(former.documents.seal(Buffer.from(text), context))
}

/** What version 0.1.0 stored: nonce, ciphertext and tag, without the id of the key. */
function sealFirstVersion(text: string, context: SealContext): string {
  const cipher = createCipheriv('aes-256-gcm', FORMER, Buffer.alloc(12)).setAAD(Buffer.from(context))
  const bytes = [Buffer.alloc(12), cipher.update(text), cipher.final(), cipher.getAuthTag()]
  return `v1.${Buffer.concat(bytes).toString('base64url')}`
}
