import { execFile, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exportPublicKey, type PublicKey } from '@svc/client'
import { gateway } from '@svc/client/express'
import { openAgentKey } from '@svc/client/node'
import { expect } from 'chai'
import { importJWK, jwtVerify } from 'jose'
import { readRequestVector } from '../builders/proofVectors.ts'
import { type Asked, isVerifiable, openFakeService } from '../client/gateway/openFakeService.ts'
import { listen } from '../harness/peers/listen.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8')
const AGENT = `SVC-${'A'.repeat(22)}`
const SHOP = `SVCE-${'B'.repeat(22)}`
/** Stands in for the package `cryptography`, which Python finds first if it is installed. */
const STAND_IN = join(ROOT, 'test/fixtures/python')
const PYTHON = { PYTHONPATH: STAND_IN, PYTHONDONTWRITEBYTECODE: '1' }
const hasPython = spawnSync('python3', ['--version']).status === 0
const run = promisify(execFile)

/** The program of a section, as the page prints it. */
function programOf(heading: string, language: string): string {
  const [, section = ''] = PAGE.split(`### ${heading}\n`)
  const [, code = ''] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section) ?? []
  return code
}

describe('docs/agents.md, the programs that prove their requests', () => {
  const folder = createTemporaryFolder()
  const keyFile = join(folder.path, 'agent.jwk')
  let jwk: PublicKey
  before(async () => {
    jwk = await exportPublicKey(await openAgentKey(keyFile))
    writeFileSync(join(folder.path, 'agent.mjs'), programOf('In JavaScript', 'js'))
    writeFileSync(join(folder.path, 'agent.py'), programOf('In Python', 'python'))
  })
  after(() => folder.remove())

  /** Runs a program against a shop behind our gateway. */
  async function visit(command: string, args: string[], more: object = {}) {
    const service = await openFakeService()
    const guard = gateway(service.options)
    const shop = await listen((req, res) => void guard(req, res, () => req.pipe(res)))
    const env = {
      ...{ PATH: process.env.PATH ?? '', AGENT_KEY_FILE: keyFile, SVC_ID: AGENT, SVC_SHOP_ID: SHOP },
      ...{ SHOP_URL: `${shop.url}/orders?note=a%20b`, ...more },
    }
    try {
      const { stdout } = await run(command, args, { env, cwd: folder.path })
      return { stdout, asked: service.asked }
    } finally {
      await Promise.all([shop.stop(), service.stop()])
    }
  }

  async function expectProofs({ stdout, asked }: { stdout: string; asked: Asked[] }): Promise<void> {
    expect(stdout).to.equal('200 {"item":"tea","total":19.9}\n')
    const [only] = asked
    if (only === undefined || asked.length > 1) throw new Error(`${asked.length} verifications`)
    expect(await isVerifiable(only, jwk)).to.equal(true)
    const { signatureInput = '', contentDigest } = only.callerMetadata
    for (const name of [
      '@authority',
      '@method',
      '@path',
      '@query',
      'content-digest',
      'x-svc-id',
      'x-svc-purpose',
    ]) {
      expect(signatureInput).to.include(`"${name}"`)
    }
    const verifier = await importJWK({ ...jwk }, 'EdDSA')
    const { payload, protectedHeader } = await jwtVerify(String(only.intentProof), verifier)
    expect(protectedHeader).to.deep.equal({ typ: 'svc-intent+jwt', alg: 'EdDSA', kid: jwk.kid })
    expect(payload).to.include({ iss: AGENT, aud: SHOP, purpose: 'shopping:buy', amount: '19.90' })
    expect(payload.bodyHash).to.equal(contentDigest)
    expect(Number(payload.exp) - Number(payload.iat)).to.equal(60)
  }

  it('sign a request and an intent in JavaScript', async () => {
    await expectProofs(await visit(process.execPath, ['agent.mjs']))
  })

  it('sign a request and an intent in Python', async function () {
    if (!hasPython) return this.skip()
    await expectProofs(await visit('python3', ['agent.py'], PYTHON))
    return undefined
  })

  it('do so on a machine that has only Python', async function () {
    if (!hasPython) return this.skip()
    // Without installed packages, so that the stand-in is found.
    await expectProofs(await visit('python3', ['-S', 'agent.py'], PYTHON))
    const { key, signatureBase, signature } = readRequestVector('ed25519-post')
    const program = `import base64, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
key = Ed25519PrivateKey.from_private_bytes(base64.urlsafe_b64decode(sys.argv[1] + "="))
print(base64.b64encode(key.sign(sys.argv[2].encode())).decode())`
    const args = ['-S', '-c', program, key?.d ?? '', signatureBase]
    const { stdout } = await run('python3', args, { env: { PATH: process.env.PATH ?? '', ...PYTHON } })
    expect(`svc=:${stdout.trim()}:`).to.equal(signature)
    return undefined
  })
})
