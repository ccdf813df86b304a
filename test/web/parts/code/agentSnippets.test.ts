import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { exportPublicKey, generateAgentKey } from '@svc/client'
import { gateway } from '@svc/client/express'
import { expect } from 'chai'
import express from 'express'
import { buildAgentSnippets, COUNTERPARTY_PLACEHOLDER } from '../../../../web/src/parts/code/agentSnippets.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../../../builders/participants.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const run = promisify(execFile)

describe('buildAgentSnippets', () => {
  let service: StartedService
  let shop: Awaited<ReturnType<typeof listen>>
  let svcId: string
  const folder = createTemporaryFolder()
  const keyFile = join(folder.path, 'agent.jwk')

  before(async () => {
    service = await startService()
    const app = express()
    shop = await listen(app)
    const { apiKey } = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, apiKey, {
      minIdentityProof: 'signature',
      authorities: [new URL(shop.url).host],
    })
    const key = await generateAgentKey({ extractable: true })
    const jwk = await crypto.subtle.exportKey('jwk', key.pair.privateKey)
    await writeFile(keyFile, JSON.stringify(jwk), { mode: 0o600 })
    const agent = { name: 'Buyer', keys: [await exportPublicKey(key)] }
    svcId = (await registerAgent(service.baseUrl, agent)).svcId
    app.use(gateway({ apiBaseUrl: `${service.baseUrl}/api`, apiKey, counterpartyId }))
    app.get('/', (req, res) => {
      res.json({ hello: (req as { agent?: { name?: string } }).agent?.name })
    })
  })
  after(async () => {
    await shop?.stop()
    await service?.stop()
    folder.remove()
  })

  const find = (id: string) => {
    const code = buildAgentSnippets({ origin: service.baseUrl, svcId }).find((one) => one.id === id)?.code
    return (code ?? '').replaceAll(COUNTERPARTY_PLACEHOLDER, `${shop.url}/`).replace('agent.jwk', keyFile)
  }
  const runScript = async (id: string) =>
    (await run(process.execPath, ['--input-type=module-typescript', '-e', find(id)], { cwd: ROOT })).stdout

  it('builds an agent whose signed request an endpoint that insists on a signature grants', async () => {
    expect(await runScript('http')).to.include(`200 ${JSON.stringify({ hello: 'Buyer' })}`)
  })

  it('builds the parameters of an MCP call with a proof for the counterparty', async () => {
    const { name, _meta } = JSON.parse((await runScript('mcp')).split('\n')[1] ?? '')
    expect(name).to.equal('list_products')
    expect(_meta).to.include({ 'X-Svc-Id': svcId, 'X-Svc-Purpose': 'shopping:browse' })
    const [, payload = ''] = _meta['X-Svc-Proof'].split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    expect(claims).to.include({ iss: svcId, aud: new URL(shop.url).origin, purpose: 'shopping:browse' })
  })

  it('builds a plain request that names the agent and proves nothing, so that this endpoint denies it', async () => {
    const { stdout } = await run('bash', ['-euc', find('curl')])
    expect(stdout)
      .to.match(/^HTTP\/1.1 403/)
      .and.include('agent.proof')
  })
})
