import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { composeMailErasure } from '../../../../server/compose/accounts/composeMailErasure.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const TWO_MINUTES_MS = 120_000

describe('composeMailErasure', () => {
  let temporary: ReturnType<typeof createTemporaryFolder>
  let erasure: ReturnType<typeof composeMailErasure>
  let folder: string
  let now: number
  let logged: string[]

  beforeEach(() => {
    temporary = createTemporaryFolder()
    folder = join(temporary.path, 'mail')
    now = 0
    logged = []
    const log = { error: (_fields: object, message: string) => void logged.push(message) }
    erasure = composeMailErasure({ folder, clock: () => now, log })
    erasure.start()
  })
  afterEach(async () => {
    await erasure.stop()
    temporary.remove()
  })

  const write = (name: string) =>
    writeFileSync(join(folder, `${name}.eml`), `To: ${name}@example.com\r\n\r\nHello\r\n`)
  const untilLeft = (...left: string[]) =>
    waitUntil(async () =>
      readdirSync(folder).join() === left.map((name) => `${name}.eml`).join() ? true : null,
    )

  it('logs that the mails to an address cannot be deleted, and deletes them later', async () => {
    // A file in place of the folder cannot be listed.
    writeFileSync(folder, '')
    erasure.onAddressErased('ada@example.com')
    await waitUntil(async () => (logged.length > 0 ? true : null))
    expect(logged).to.have.length(1)
    expect(logged[0]).to.match(/^mails to erased accounts cannot be deleted: ENOTDIR/)
    rmSync(folder)
    mkdirSync(folder)
    for (const name of ['ada', 'bob', 'eve']) write(name)
    erasure.onAddressErased('bob@example.com')
    await untilLeft('eve')
  })

  it('deletes a mail that was being sent when its address was erased', async () => {
    mkdirSync(folder)
    write('ada')
    erasure.onAddressErased('ada@example.com')
    await untilLeft()
    write('ada')
    now += TWO_MINUTES_MS
    erasure.onAddressErased('bob@example.com')
    await untilLeft()
  })
})
