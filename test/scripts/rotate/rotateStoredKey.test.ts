import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type KeyAction, rotateStoredKey } from '../../../scripts/rotate/rotateStoredKey.ts'
import {
  type ComposedSigningKeys,
  composeSigningKeys,
} from '../../../server/compose/keys/composeSigningKeys.ts'
import { readConfig } from '../../../server/config.ts'
import { openSecretBoxes } from '../../../server/external/keys/openSecretBoxes.ts'
import { createAccessTokens } from '../../../server/external/tokens/accessTokens.ts'
import type { SigningPurpose } from '../../../server/services/secrets/signingKeys.ts'
import type { Db } from '../../../server/store/database/database.ts'
import { openDatabase } from '../../../server/store/database/openDatabase.ts'
import { createSecretsKeyStore } from '../../../server/store/secrets/secretsKeyStore.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { runScript } from '../../harness/service/runScript.ts'

const MINUTE = 60_000
const access = { userId: 'user', sessionId: 'session', tokenId: 'token', amr: ['pwd'], authenticatedAt: 0 }

describe('npm run rotate-keys', () => {
  const time = { now: 0 }
  let folder: ReturnType<typeof createTemporaryFolder>
  let db: Db
  /** Two processes over one database. */
  let processes: ComposedSigningKeys[]
  const config = () => readConfig({ DATA_DIR: folder.path })

  beforeEach(async () => {
    time.now = Date.UTC(2026, 2, 2)
    folder = createTemporaryFolder()
    db = await openDatabase(config())
    await createSecretsKeyStore(db.query).add(openSecretBoxes(config()).keys[0].id)
    processes = [await compose(), await compose()]
  })
  afterEach(async () => {
    await db.close()
    folder.remove()
  })

  const compose = () =>
    composeSigningKeys({ db, config: config(), clock: () => time.now, log: { error: () => undefined } })
  const act = (purpose: SigningPurpose, action: KeyAction) =>
    rotateStoredKey(config(), { purpose, action, now: time.now })
  const rotate = (purpose: SigningPurpose, { isStolen = false } = {}) =>
    act(purpose, { kind: 'publish', leadMs: 15 * MINUTE, isStolen })
  const cancel = (purpose: SigningPurpose) => act(purpose, { kind: 'cancel' })
  const withdraw = (purpose: SigningPurpose, kid = '') => act(purpose, { kind: 'withdraw', kid })
  const messageOf = (work: Promise<string>) => work.catch((error: Error) => error.message)
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
      expect(await messageOf(rotate(purpose))).to.match(
        new RegExp(
          `^The next key of ${purpose}, .* is published already and .*: withdraw it with --cancel, or `,
        ),
      )
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

  it('stops accepting every former key once that of a stolen one signs, and none earlier or if it is cancelled', async () => {
    const [one] = processes.map(tokensOf) as [ReturnType<typeof tokensOf>]
    const start = time.now
    const byFirst = await one.sign(access, start + 15 * MINUTE - 1)
    await rotate('access-tokens')
    time.now = start + 16 * MINUTE
    expect(await rotate('access-tokens', { isStolen: true })).to.contain('No former key is published')
    const end = time.now + 15 * MINUTE
    await cancel('access-tokens')
    await reload()
    expect(await one.verify(byFirst, end - MINUTE - 2)).not.to.equal(null)
    expect(processes[0]?.rings['access-tokens'].published(end), 'cancelled').to.have.length(2)

    await rotate('access-tokens', { isStolen: true })
    await reload()
    const published = (now: number) => processes[1]?.rings['access-tokens'].published(now).length
    expect([published(end - 1), published(end)]).to.deep.equal([3, 1])
    time.now = end
    expect(publishedKids('access-tokens')).to.equal(1)
  })

  it('withdraws one former key at once, and leaves the others', async () => {
    const [one, other] = processes.map(tokensOf) as [ReturnType<typeof tokensOf>, ReturnType<typeof tokensOf>]
    const byFirst = await one.sign(access, time.now + 15 * MINUTE - 1)
    await rotate('access-tokens')
    await reload()
    time.now += 16 * MINUTE
    const bySecond = await one.sign(access, time.now)
    await rotate('access-tokens')
    await reload()
    time.now += 15 * MINUTE
    await withdraw('access-tokens', kidOf(bySecond))
    await reload()
    time.now += 1
    expect(await other.verify(bySecond, time.now), 'withdrawn').to.equal(null)
    const kids = processes[1]?.rings['access-tokens'].published(time.now).map(({ kid }) => kid)
    expect(kids).to.deep.equal([kidOf(byFirst), kidOf(await other.sign(access, time.now))])
    expect(await messageOf(withdraw('access-tokens', kidOf(bySecond)))).to.match(
      /^The key .* of access-tokens has not been accepted since /,
    )
  })

  it('withdraws no key that signs, will sign, or does not exist', async () => {
    const first = processes[0]?.rings.checkpoints.signing(time.now).kid
    await rotate('checkpoints')
    await reload()
    const next = processes[0]?.rings.checkpoints.all().at(-1)?.kid
    expect(await messageOf(withdraw('checkpoints', first))).to.match(
      /signs: replace it with --stolen --in 2\.$/,
    )
    expect(await messageOf(withdraw('checkpoints', next))).to.match(
      /not sign yet: withdraw it with --cancel\.$/,
    )
    expect(await messageOf(withdraw('checkpoints', 'x'))).to.equal(
      'There is no key x of checkpoints: --list names them.',
    )
  })

  it('lists the keys that are accepted, also the first one, and creates none', async () => {
    await rotate('receipts')
    time.now += 15 * MINUTE
    await rotate('receipts')
    await reload()
    const [first, second, third] = processes[0]?.rings.receipts.all() ?? []
    expect(await act('receipts', { kind: 'list' })).to.equal(
      [
        `${first?.kid}  is a former one, accepted until 2026-03-04T00:15:00.000Z`,
        `${second?.kid}  signs, accepted until 2026-03-04T00:30:00.000Z`,
        `${third?.kid}  signs from 2026-03-02T00:30:00.000Z`,
      ].join('\n'),
    )
    rmSync(join(folder.path, 'receipt-key.json'))
    expect(await messageOf(act('receipts', { kind: 'list' }))).to.match(/^There is no receipt-key\.json in /)
    expect(existsSync(join(folder.path, 'receipt-key.json'))).to.equal(false)
  })

  it('withdraws a key that does not sign yet', async () => {
    const [one] = processes.map(tokensOf) as [ReturnType<typeof tokensOf>]
    const before = kidOf(await one.sign(access, time.now))
    await rotate('access-tokens')
    expect(await cancel('access-tokens')).to.match(/is withdrawn; the current one/)
    await reload()
    expect(kidOf(await one.sign(access, time.now + 20 * MINUTE))).to.equal(before)
    expect(await messageOf(cancel('access-tokens'))).to.equal(
      'No key of access-tokens is published that does not sign yet.',
    )
  })

  it('stores no private key in the clear', async () => {
    await rotate('receipts')
    await reload()
    const stored = JSON.stringify(await db.query('signing_keys').select())
    for (const { jwk } of processes[0]?.rings.receipts.all() ?? []) expect(stored).not.to.contain(jwk.d)
  })

  it('publishes nothing that the service could not read, because its next start would fail', async () => {
    const [other, environment] = [Buffer.alloc(32, 9).toString('base64'), { DATA_DIR: folder.path }]
    const wrong = await runScript('rotateKeys.ts', ['receipts'], { ...environment, SECRETS_KEY: other })
    expect([wrong.code, wrong.stderr]).to.deep.equal([
      1,
      'The service has never started with this SECRETS_KEY, 4c64bf335243: set the key that it runs with or, to replace that ' +
        'key, restart it first, with the former key in SECRETS_KEY_FORMER.\n',
    ])
    const file = join(folder.path, 'secrets-key')
    rmSync(file)
    const { code, stderr } = await runScript('rotateKeys.ts', ['receipts'], environment)
    expect([code, stderr]).to.deep.equal([
      1,
      `There is no secrets-key in ${folder.path}: set SECRETS_KEY as the service has it, or start the service, which creates one.\n`,
    ])
    expect(existsSync(file)).to.equal(false)
    expect(await db.query('signing_keys').select('kid')).to.deep.equal([])
  })

  it('refuses a time before which not every process has read the new key', async () => {
    const args = ['receipts', '--in', '1']
    const { code, stderr } = await runScript('rotateKeys.ts', args, { DATA_DIR: folder.path })
    expect(code).to.equal(1)
    expect(stderr).to.equal('--in must be a whole number of minutes from 2 to 43200, not 1.\n')
  })

  it('does what its arguments say', async () => {
    const { code, stdout } = await runScript('rotateKeys.ts', ['receipts', '--list'], {
      DATA_DIR: folder.path,
    })
    expect([code, stdout]).to.deep.equal([0, `${processes[0]?.rings.receipts.signing(0).kid}  signs\n`])
  })

  it('says which keys there are', async () => {
    const { code, stderr } = await runScript('rotateKeys.ts', ['push'], { DATA_DIR: folder.path })
    expect(code).to.equal(1)
    expect(stderr).to.match(/^Which key\? access-tokens \| agent-cards \| receipts \| checkpoints\./)
  })
})

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
}
