import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { LocalChain } from '../../server/chain/localChain.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { runScript } from '../harness/service/runScript.ts'

describe('npm run deploy', function () {
  this.timeout(240_000)
  let node: LocalChain
  let folder: string
  before(async () => {
    node = await takeChain()
    folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  })
  after(async () => {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const deploy = (settings: Record<string, string>) =>
    runScript('deploy.ts', [], { DATA_DIR: folder, LOG_LEVEL: 'silent', ...settings })
  const chain = () => ({ RPC_URL: node.url, RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY, CONFIRMATIONS: '1' })

  it('prints the addresses of the four contracts, and the same ones when run again', async () => {
    const first = await deploy(chain())
    const address = '0x[0-9a-fA-F]{40}'
    expect(first.stdout).to.match(
      new RegExp(
        `^chain +31337\nidentity registry +${address}\nreputation registry +${address}\n` +
          `validation registry +${address}\naudit log +${address}\nlog id +0x[0-9a-f]{64}\n$`,
      ),
    )
    expect(await deploy(chain())).to.deep.equal({ code: 0, stdout: first.stdout, stderr: '' })
  })

  it('explains in one sentence why it cannot deploy', async () => {
    for (const [settings, sentence] of [
      [{}, /^Set RPC_URL and RELAYER_PRIVATE_KEY: .+\.\n$/],
      [{ VALIDATION_REGISTRY_ADDRESS: '0x12' }, /^Setting VALIDATION_REGISTRY_ADDRESS: .+\n$/],
      [
        { ...chain(), RPC_URL: 'http://127.0.0.1:1' },
        /^The chain at RPC_URL does not respond as a node does: HTTP .+\n$/,
      ],
      [{ ...chain(), REPUTATION_REGISTRY_ADDRESS: `0x${'11'.repeat(20)}` }, /there is no contract at .+\n$/],
    ] as [Record<string, string>, RegExp][]) {
      const { code, stdout, stderr } = await deploy(settings)
      expect([code, stdout]).to.deep.equal([1, ''])
      expect(stderr).to.match(sentence)
    }
  })

  it('deploys nothing when it is asked what it does, or given what it does not know', async () => {
    const DATA_DIR = `${folder}/none`
    const helped = await runScript('deploy.ts', ['--help'], { DATA_DIR, ...chain() })
    expect([helped.code, helped.stderr]).to.deep.equal([0, ''])
    expect(helped.stdout).to.match(/^npm run deploy\n/)
    const { code, stderr } = await runScript('deploy.ts', ['registry'], { DATA_DIR, ...chain() })
    expect(code).to.equal(1)
    expect(stderr).to.match(/^Unexpected argument 'registry'/)
    expect(existsSync(DATA_DIR)).to.equal(false)
  })
})
