import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { openReceipts, type ReceiptScene } from '../server/services/receipts/openReceipts.ts'

const blocksOf = (page: string, language: string): string[] => {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )
}

/** Follows docs/receipts.md to the letter, with the files of docs/auditing.md. */
describe('docs/receipts.md', () => {
  const folder = createTemporaryFolder()
  let scene: ReceiptScene
  let environment: Record<string, string>

  const sh = (script: string): Promise<{ code: number; output: string }> =>
    new Promise((resolve) => {
      const env = { ...environment, PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' }
      execFile('sh', ['-euc', script], { cwd: folder.path, env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr })
      })
    })

  before(async () => {
    scene = await openReceipts()
    const { auditRecordId: RECORD } = await scene.ask()
    scene.time.now += 5_000
    const KEY = scene.shop.apiKey
    await waitUntil(async () => {
      const { status } = await scene.call('GET', `/api/audit/records/${RECORD}/receipt`, { bearer: KEY })
      return status === 200 ? true : null
    })
    const { contracts, logId: LOG } = (await scene.call('GET', '/api/chain')).body
    const CONTRACT = contracts.auditLog
    environment = { REGISTRY: scene.baseUrl, RPC: scene.service.rpcUrl, KEY, RECORD, CONTRACT, LOG }
    for (const code of [...blocksOf('auditing.md', 'python'), ...blocksOf('receipts.md', 'python')]) {
      const [, name = ''] = /^# (\w+\.py)\n/.exec(code) ?? []
      writeFileSync(join(folder.path, name), code)
    }
  })
  after(async () => {
    await scene?.service.stop()
    folder.remove()
  })

  it('proves a verdict with standard tools, and refutes an altered one', async () => {
    const proven = await sh(blocksOf('receipts.md', 'sh').at(-1) ?? '')
    expect(proven.output)
      .to.include(`grant for ${scene.agentId} at ${scene.svceId} on `)
      .and.include('anchored in block ')
      .and.include('the contract confirms the entry')
    expect(proven.code).to.equal(0)
    const file = join(folder.path, 'receipt.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("receipt":"[^.]+\..{10})./, '$1_'))
    const refuted = await sh('python3 receipt.py receipt.json')
    expect(refuted.output).to.include('the entry commits to another receipt')
    expect(refuted.code).to.equal(1)
  })
})
