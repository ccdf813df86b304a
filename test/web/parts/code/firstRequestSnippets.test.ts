import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { buildFirstRequests } from '../../../../web/src/parts/code/firstRequestSnippets.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { registerAgent } from '../../../builders/participants.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const STAND_IN = join(ROOT, 'test/fixtures/python')
const FILES = { typescript: 'agent.ts', python: 'agent.py', javascript: 'agent.mjs' } as const
const hasPython = spawnSync('python3', ['--version']).status === 0
/** Only the real package has P-256. */
const hasCryptography = spawnSync('python3', ['-c', 'import cryptography']).status === 0
const run = promisify(execFile)

describe('buildFirstRequests', () => {
  let service: StartedService
  /** In the project, so that programs find its packages. */
  let folder: string

  before(async () => {
    service = await startService()
    folder = mkdtempSync(join(ROOT, 'cache', 'first-request-'))
  })
  after(async () => {
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  for (const crv of ['Ed25519', 'P-256'] as const) {
    for (const [id, file] of Object.entries(FILES)) {
      it(`builds a program in ${id} whose request is proven with ${crv} and granted, as printed`, async function () {
        const isReady = crv === 'Ed25519' ? hasPython : hasCryptography
        if (id === 'python' && !isReady) return this.skip()
        const key = createAgentKey(crv)
        const pdlss = { purpose: { categories: ['shopping'] } }
        const { svcId } = await registerAgent(service.baseUrl, { pdlss, keys: [key.jwk] })
        const origin = service.baseUrl.replace('127.0.0.1', 'localhost')
        const input = { origin, svcId, purpose: 'shopping:browse', keyFile: 'agent.jwk', crv }
        const code = buildFirstRequests(input).find((one) => one.id === id)?.code ?? ''
        writeFileSync(join(folder, 'agent.jwk'), JSON.stringify(key.privateJwk), { mode: 0o600 })
        writeFileSync(join(folder, file), code)
        const program = id === 'python' ? 'python3' : process.execPath
        const env = crv === 'P-256' ? {} : { PYTHONPATH: STAND_IN }
        const { stdout } = await run(program, [file], {
          cwd: folder,
          env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
        })
        expect(stdout).to.match(/^200 /)
        const answer = JSON.parse(stdout.slice(4))
        expect(answer).to.include({ recommendation: 'grant', identityProof: 'signature' })
        return undefined
      })
    }
  }
})
