import { expect } from 'chai'
import { rotateStoredKey } from '../../../scripts/rotate/rotateStoredKey.ts'
import { type ComposedSigningKeys, composeSigningKeys } from '../../../server/compose/composeSigningKeys.ts'
import { readConfig } from '../../../server/config.ts'
import { createAccessTokens } from '../../../server/external/accessTokens.ts'
import type { SigningPurpose } from '../../../server/services/secrets/signingKeys.ts'
import type { Db } from '../../../server/store/database/database.ts'
import { openDatabase } from '../../../server/store/database/openDatabase.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { runScript } from '../../harness/service/runScript.ts'

const MINUTE = 60_000
const access = { userId: 'user', sessionId: 'session', tokenId: 'token', amr: ['pwd'], authenticatedAt: 0 }

describe('npm run rotate-keys', () => {
  const time = { now: Date.UTC(2026, 2, 2) }
  let folder: ReturnType<typeof createTemporaryFolder>
  let db: Db
  /** Two processes over one database. */
  let processes: ComposedSigningKeys[]
  const config = () => readConfig({ DATA_DIR: folder.path })

  beforeEach(async () => {
    folder = createTemporaryFolder()
    db = await openDatabase(config())
    processes = [await compose(), await compose()]
  })
  afterEach(async () => {
    await db.close()
    folder.remove()
  })

  const compose = () =>
    composeSigningKeys({ db, config: config(), clock: () => time.now, log: { error: () => undefined } })
  const rotate = (purpose: SigningPurpose, more: { isStolen?: boolean; isCancelled?: boolean } = {}) =>
    rotateStoredKey(config(), {
      ...{ purpose, leadMs: 15 * MINUTE, isStolen: false, isCancelled: false, now: time.now },
      ...more,
    })
  const reload = () => Promise.all(processes.map((each) => each.reload()))
  const tokensOf = (each: ComposedSigningKeys) =>
    createAccessTokens({
      keys: each.rings['access-tokens'],
      issuer: 'https://svc.test',
      audience: 'https://svc.test',
    })
  const publishedKids = (purpose: SigningPurpose) => {
    const kids = new Set(processes[0]?.rings[purpose].all().map(({ kid }) => kid))
    return processes[0]?.published().filter(({ kid }) => kids.has(String(kid))).length
  }

  it('lets running processes sign with a key that all of them have published, without a restart', async () => {
    const [one, other] = processes.map(tokensOf) as [ReturnType<typeof tokensOf>, ReturnType<typeof tokensOf>]
    const start = time.now
    const before = await one.sign(access, start)
    expect(publishedKids('access-tokens')).to.equal(1)
    expect(await rotate('access-tokens')).to.match(/is published and signs from 2026-03-02T00:15:00.000Z/)
    await reload()
    expect(publishedKids('access-tokens')).to.equal(2)

    expect(kidOf(await one.sign(access, start + 15 * MINUTE - 1))).to.equal(kidOf(before))
    const after = await one.sign(access, start + 15 * MINUTE)
    expect(kidOf(after)).not.to.equal(kidOf(before))
    expect(await other.verify(after, start + 15 * MINUTE)).to.include({ userId: 'user' })
    const last = await one.sign(access, start + 15 * MINUTE - 1)
    expect(await other.verify(last, start + 29 * MINUTE), 'signed just before').to.include({ userId: 'user' })

    time.now = start + 75 * MINUTE
    expect(publishedKids('access-tokens')).to.equal(1)
    expect(kidOf(await tokensOf(await compose()).sign(access, time.now))).to.equal(kidOf(after))
  })

  for (const purpose of ['access-tokens', 'agent-cards', 'receipts'] as const) {
    it(`publishes two keys for ${purpose} during the overlap, and refuses a third`, async () => {
      await rotate(purpose)
      await reload()
      expect(publishedKids(purpose)).to.equal(2)
      const refusal = await rotate(purpose).catch((error: Error) => error.message)
      expect(refusal).to.match(new RegExp(`^The next key of ${purpose}, .* is published already`))
      time.now += 16 * MINUTE
      await rotate(purpose)
    })
  }

  it('stops accepting a stolen key as soon as the new one signs', async () => {
    const [one] = processes.map(tokensOf) as [ReturnType<typeof tokensOf>]
    const start = time.now
    const signed = await one.sign(access, start + 14 * MINUTE)
    await rotate('access-tokens', { isStolen: true })
    await reload()
    expect(await one.verify(signed, start + 15 * MINUTE - 1)).not.to.equal(null)
    expect(await one.verify(signed, start + 15 * MINUTE)).to.equal(null)
  })

  it('withdraws a key that does not sign yet', async () => {
    const [one] = processes.map(tokensOf) as [ReturnType<typeof tokensOf>]
    const before = kidOf(await one.sign(access, time.now))
    await rotate('access-tokens')
    expect(await rotate('access-tokens', { isCancelled: true })).to.match(/is withdrawn; the current one/)
    await reload()
    expect(kidOf(await one.sign(access, time.now + 20 * MINUTE))).to.equal(before)
    const refusal = await rotate('access-tokens', { isCancelled: true }).catch(
      (error: Error) => error.message,
    )
    expect(refusal).to.equal('No key of access-tokens is published that does not sign yet.')
  })

  it('stores no private key in the clear', async () => {
    await rotate('receipts')
    await reload()
    const stored = JSON.stringify(await db.query('signing_keys').select())
    for (const { jwk } of processes[0]?.rings.receipts.all() ?? []) expect(stored).not.to.contain(jwk.d)
  })

  it('refuses a time before which not every process has read the new key', async () => {
    const args = ['receipts', '--in', '1']
    const { code, stderr } = await runScript('rotate-keys.ts', args, { DATA_DIR: folder.path })
    expect(code).to.equal(1)
    expect(stderr).to.equal('--in must be a number of minutes, at least 2, not 1.\n')
  })

  it('says which keys there are', async () => {
    const { code, stderr } = await runScript('rotate-keys.ts', ['push'], { DATA_DIR: folder.path })
    expect(code).to.equal(1)
    expect(stderr).to.match(/^Which key\? access-tokens \| agent-cards \| receipts \| checkpoints\./)
  })
})

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}
