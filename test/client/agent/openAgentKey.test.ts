import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAgentKey } from '@svc/client/node'
import { expect } from 'chai'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

describe('openAgentKey', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  let file: string
  beforeEach(() => {
    folder = createTemporaryFolder()
    file = join(folder.path, 'agent.jwk')
  })
  afterEach(() => folder.remove())

  const failureOf = async (work: Promise<unknown>) =>
    work.then(
      () => 'opened',
      (error: Error) => error.message,
    )

  it('generates a key that only the owner of the file may read, and opens it again', async () => {
    const key = await openAgentKey(file)
    expect(statSync(file).mode & 0o777).to.equal(0o600)
    expect(readdirSync(folder.path)).to.deep.equal(['agent.jwk'])
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.include({ kty: 'OKP', crv: 'Ed25519' })
    const again = await openAgentKey(file, { algorithm: 'ecdsa-p256-sha256' })
    expect([again.keyid, again.algorithm]).to.deep.equal([key.keyid, 'ed25519'])
    expect(again.pair.privateKey.extractable).to.equal(false)
  })

  it('generates a key with another algorithm on request', async () => {
    expect((await openAgentKey(file, { algorithm: 'ecdsa-p256-sha256' })).algorithm).to.equal(
      'ecdsa-p256-sha256',
    )
  })

  it('gives the same key to all that open the file at once', async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => openAgentKey(file)))
    expect(new Set(keys.map(({ keyid }) => keyid)).size).to.equal(1)
    expect(readdirSync(folder.path)).to.deep.equal(['agent.jwk'])
  })

  it('refuses a key that other users may read', async function () {
    if (process.platform === 'win32') return this.skip()
    await openAgentKey(file)
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(file, mode)
      expect(await failureOf(openAgentKey(file)))
        .to.include('other users may read')
        .and.include('chmod 600')
    }
    return undefined
  })

  it('refuses a file without a key, and leaves it as it is', async () => {
    for (const text of ['', 'null', '{}', '"x"', '{"kty":"OKP","crv":"Ed25519","x":"AAAA"}']) {
      writeFileSync(file, text, { mode: 0o600 })
      expect(await failureOf(openAgentKey(file)), text).to.match(/does not contain a private JWK/)
      expect(readFileSync(file, 'utf8')).to.equal(text)
    }
  })

  it('reports a folder that does not exist', async () => {
    expect(await failureOf(openAgentKey(join(folder.path, 'none', 'agent.jwk')))).to.match(/ENOENT/)
  })
})
