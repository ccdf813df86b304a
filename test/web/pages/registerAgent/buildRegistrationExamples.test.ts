import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { generatePrivateKey } from 'viem/accounts'
import { buildRegistrationExamples } from '../../../../web/src/pages/registerAgent/buildRegistrationExamples.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const run = promisify(execFile)

/**
 * Stands in for `cast wallet address --private-key KEY` and `cast wallet sign --private-key KEY MESSAGE` (EIP-191), which
 * may not be installed.
 */
const CAST = `import { privateKeyToAccount } from 'viem/accounts'
const [, what, flag, key, message] = process.argv.slice(1)
if (flag !== '--private-key') throw new Error('unexpected ' + flag)
const account = privateKeyToAccount(key)
console.log(what === 'address' ? account.address : await account.signMessage({ message }))`

describe('buildRegistrationExamples', () => {
  let service: StartedService
  const folder = createTemporaryFolder()
  const environment = {
    ...process.env,
    OWNER_KEY: generatePrivateKey(),
    PATH: [folder.path, dirname(process.execPath), process.env.PATH].join(delimiter),
  }

  before(async () => {
    service = await startService()
    const cast = join(folder.path, 'cast')
    const program = `'${process.execPath}' --input-type=module -e '${CAST.replaceAll("'", '"')}'`
    writeFileSync(cast, `#!/bin/sh\ncd '${ROOT}' && exec ${program} -- "$@"\n`)
    chmodSync(cast, 0o755)
  })

  after(async () => {
    await service.stop()
    folder.remove()
  })

  async function nameOf(svcId: string): Promise<string> {
    return (await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)).body.agent.name
  }

  it('builds TypeScript that registers an agent', async () => {
    const { typescript } = buildRegistrationExamples(service.baseUrl)
    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', typescript], {
      cwd: ROOT,
      env: environment,
    })
    expect(await nameOf(stdout.split(' ')[0] ?? '')).to.equal('Shopping assistant')
  })

  it('builds shell commands that register an agent', async function () {
    for (const tool of ['bash', 'openssl', 'curl']) {
      if (spawnSync(tool, ['--version']).error === undefined) continue
      console.log(`      skipped: ${tool} is not installed`)
      this.skip()
    }
    const { shell } = buildRegistrationExamples(service.baseUrl)
    const { stdout } = await run('bash', ['-euc', shell], { env: environment })
    expect(await nameOf(JSON.parse(stdout).data.agent.svcId)).to.equal('Shopping assistant')
  })
})
