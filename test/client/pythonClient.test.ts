import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { pythonCommand } from '../../scripts/python/pythonCommand.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../server/services/approvals/openOwnerScene.ts'

const PACKAGE = join(import.meta.dirname, '../../clients/python')
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
const hasPackages = spawnSync(pythonCommand(), ['-c', 'import httpx, cryptography']).status === 0

/** A program of the page, whose first line names its file. */
const programOf = (file: string) =>
  new RegExp(`^\`\`\`python\\n(# ${file}\\n[\\s\\S]*?)^\`\`\`$`, 'm').exec(README)?.[1] ?? ''

describe('the Python client, against the service', () => {
  const folder = createTemporaryFolder()
  const running: ChildProcess[] = []
  let scene: OwnerScene
  let owner: Owner
  let shopOutput: () => string
  let variables: Record<string, string>

  before(async function () {
    if (!hasPackages) return this.skip()
    scene = await openOwnerScene()
    owner = await scene.owner()
    const agentKey = generatePrivateKey()
    const address = privateKeyToAccount(agentKey).address.toLowerCase()
    await scene.store('INSERT INTO wallets VALUES (?, ?, ?)', address, owner.userId, scene.time.now)
    const port = await findFreePort()
    const bearer = scene.shop.apiKey
    const { body: endpoint } = await scene.call('POST', '/api/endpoints', {
      bearer,
      body: {
        ...{ counterpartyType: 'api', name: 'Shop', counterpartyUrl: 'https://python.acme.io/api' },
        ...{ trustScoreRequirement: 0, authorities: [`127.0.0.1:${port}`], minIdentityProof: 'signature' },
      },
    })
    variables = {
      SVC_API_BASE_URL: `${scene.appUrl}/api`,
      SVC_API_KEY: bearer,
      SVC_ISSUER: scene.appUrl,
      SVC_SHOP_ID: endpoint.svceId,
      SVC_WEBHOOK_SECRET: endpoint.webhookSecret,
      PORT: String(port),
      SHOP_URL: `http://127.0.0.1:${port}`,
      AGENT_KEY: agentKey,
    }
    shopOutput = start('shop.py').output
    await waitUntil(async () => (shopOutput().includes('listening') ? true : null))
    const url = `http://127.0.0.1:${port}/webhooks`
    await scene.call('POST', `/api/endpoints/${endpoint.svceId}/webhook`, { bearer, body: { url } })
    return undefined
  })
  after(async () => {
    for (const child of running) child.kill('SIGKILL')
    await scene?.service.stop()
    folder.remove()
  })

  function start(file: string) {
    const path = join(folder.path, file)
    writeFileSync(path, programOf(file))
    const env = {
      ...{ PATH: process.env.PATH, PYTHONPATH: join(PACKAGE, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
      ...variables,
    }
    const child = spawn(pythonCommand(), ['-W', 'error', path], { cwd: folder.path, env })
    running.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
    return { output: () => output, ended }
  }

  it('registers an agent, proves its requests, waits for its owner, and verifies receipts and webhooks', async () => {
    const agent = start('agent.py')
    const approvalId = await waitUntil(async () => {
      const { body } = await owner.call('GET', '/api/step-up-approvals')
      return body.items[0]?.approvalId ?? null
    })
    expect(await owner.readApproval(approvalId)).to.include({ status: 'pending' })
    expect((await owner.approve(approvalId)).status).to.equal(200)
    expect(await agent.ended, agent.output() + shopOutput()).to.equal(0)
    const [, svcId] = /^registered (SVC-\w{22})$/m.exec(agent.output()) ?? []
    const order = `{"agent": "${svcId}", "proof": "signature", "receipt": "valid"}`
    expect(agent.output()).to.include(`20 200 ${order}\n120 200 ${order}\n`)
    expect(agent.output()).to.match(/^900 403 .*"access_denied".*"pdlss\.limits"/m)
    await waitUntil(async () => (shopOutput().includes('webhook verification.completed') ? true : null))
    expect(shopOutput()).to.not.include('signature_mismatch')
  })

  it('refuses a stranger', async () => {
    const response = await fetch(`${variables.SHOP_URL}/orders`)
    expect([response.status, ((await response.json()) as { code: string }).code]).to.deep.equal([
      403,
      'access_denied',
    ])
  })
})
