import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, registerEndpoint } from '../builders/participants.ts'
import { listen } from '../harness/peers/listen.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = readFileSync(join(ROOT, 'docs/agents.md'), 'utf8')

const blocks = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )

describe('docs/agents.md', () => {
  // Next to the packages that it names, as the page tells its reader.
  const file = join(ROOT, 'test/docs', `agent-${process.pid}.mjs`)
  let service: StartedService
  before(async () => {
    service = await startService()
    writeFileSync(file, blocks('js')[0] ?? '')
  })
  after(async () => {
    rmSync(file, { force: true })
    await service.stop()
  })

  it('contains a program that registers, gets its token, passes the challenge and is admitted', async () => {
    const { apiKey } = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, apiKey)
    const seen: Record<string, unknown>[] = []
    const shop = await listen(async (req, res) => {
      const { body } = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
        bearer: apiKey,
        body: { counterpartyId, agentId: req.headers['x-svc-id'], purpose: req.headers['x-svc-purpose'] },
      })
      seen.push(body)
      res.end(body.recommendation)
    })
    const env = {
      PATH: process.env.PATH ?? '',
      SVC_URL: service.baseUrl,
      AGENT_KEY: generatePrivateKey(),
      SHOP_URL: shop.url,
      SVC_SHOP_ID: counterpartyId,
    }
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env }).finally(shop.stop)
    expect(stdout).to.match(/^registered SVC-\w{22}\ntoken for 900 seconds\n200 grant\n$/)
    expect(seen[0]?.runtimeChallenge).to.include({ passed: true })
  })

  it('shows a text and a signature that another program reproduces', async () => {
    const [form = '', text = '', signature = ''] = blocks('')
    const [formLines, lines] = [form, text].map((block) => block.trimEnd().split('\n'))
    expect(lines).to.have.length(formLines?.length ?? 0)
    expect(lines?.[0]).to.equal(formLines?.[0])
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    expect(PAGE).to.contain(account.address)
    expect(await account.signMessage({ message: text.trimEnd() })).to.equal(signature.trimEnd())
  })
})
