import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readMcpSettings } from '@svc/gate/mcp/readMcpSettings.ts'
import { SETTINGS } from '@svc/gate/settings/settingTable.ts'
import { expect } from 'chai'
import { parse } from 'yaml'
import { readConfig } from '../../../server/config.ts'
import { type Organisation, registerAgent, registerEndpoint } from '../../builders/participants.ts'
import { openSvc } from '../../cli/openSvc.ts'
import { startWitness } from '../../harness/peers/startWitness.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { api } from '../../harness/service/api.ts'
import { openHookedShop } from '../../server/services/webhooks/openHookedShop.ts'
import { readBlocks } from '../readBlocks.ts'

const ROOT = join(import.meta.dirname, '../../..')
const POLICY = 'version: 1\npdlss:\n  purpose: { categories: [shopping] }\n'
const run = promisify(execFile)

/** The nth block of a page. */
const blockOf = (page: string, nth = 0): string => readBlocks(page)[nth]?.text ?? ''

describe('the snippets of the pages', function () {
  this.timeout(120_000)
  const folder = createTemporaryFolder()
  let scene: Awaited<ReturnType<typeof openHookedShop>>
  let baseUrl: string
  let shop: Organisation
  let agentId: string
  let endpointId: string
  let svc: ReturnType<typeof openSvc>

  before(async () => {
    scene = await openHookedShop()
    shop = scene.shop
    baseUrl = scene.service.baseUrl
    endpointId = await registerEndpoint(baseUrl, shop.apiKey)
    const { svcId } = await registerAgent(baseUrl, { pdlss: { purpose: { categories: ['shopping'] } } })
    agentId = svcId
    svc = openSvc()
    writeFileSync(join(svc.folder, 'policy.yaml'), POLICY)
  })
  after(async () => {
    await scene?.close()
    svc?.remove()
    folder.remove()
  })

  /** A snippet with the participants of this test for its placeholders. */
  const fill = (text: string) => text.replaceAll('SVCE-…', endpointId).replaceAll('SVC-…', agentId)

  /** Runs a program in the project's folder, from which its imports are resolved. */
  const runProgram = async (code: string, env: Record<string, string> = {}) => {
    const args = ['--input-type=module-typescript', '-e', code]
    return (await run(process.execPath, args, { cwd: ROOT, env: { PATH: process.env.PATH, ...env } })).stdout
  }

  it('docs/agent-card.md verifies a card, and refuses an altered one', async () => {
    const check = (cardUrl: string) =>
      runProgram(
        `const [cardUrl, registryUrl] = ${JSON.stringify([cardUrl, baseUrl])}
${blockOf('docs/agent-card.md').replace(
  "import canonicalize from 'canonicalize'",
  "import { canonicaliseJson as canonicalize } from './core/canonicaliseJson.ts'",
)}
console.log('verified')`,
      )
    const cardUrl = `${baseUrl}/.well-known/agents/${agentId}.json`
    expect(await check(cardUrl)).to.equal('verified\n')
    const card = await (await fetch(cardUrl)).json()
    const altered = JSON.stringify({ ...card, name: 'Another' })
    const failure = await check(`data:application/json,${encodeURIComponent(altered)}`).catch(String)
    expect(failure).to.include('signature verification failed')
  })

  it('docs/authzen.md gets a decision', async () => {
    const env = { PATH: process.env.PATH, BASE: baseUrl, KEY: shop.apiKey }
    const { stdout } = await run('bash', ['-euc', fill(blockOf('docs/authzen.md'))], { env })
    const { decision, context } = JSON.parse(stdout)
    expect([decision, context.recommendation]).to.deep.equal([true, 'grant'])
  })

  it('docs/mcp.md verifies an agent', async () => {
    const counterpartyId = endpointId
    const code = blockOf('docs/mcp.md')
      .replace('https://registry.example', baseUrl)
      .replace('await client.callTool', 'const result = await client.callTool')
    const given = `const { apiKey, agentId, counterpartyId } = ${JSON.stringify({ apiKey: shop.apiKey, agentId, counterpartyId })}`
    const output = await runProgram(
      `${given}\n${code}\nconsole.log(JSON.stringify(result))\nawait client.close()`,
    )
    expect(JSON.parse(output).structuredContent).to.include({ recommendation: 'grant' })
  })

  for (const page of ['docs/cli.md', 'cli/README.md']) {
    it(`${page} signs in, verifies, lists, follows events, and needs no account for the rest`, async () => {
      const password = 'correct horse battery'
      const email = 'you@example.com'
      await api(baseUrl, 'POST', '/api/auth/register', {
        body: { email: `${page.length}${email}`, password, fullName: 'You', accountType: 'business' },
      })
      for (const line of blockOf(page).trim().split('\n')) {
        const command = fill(line.replace(/ +#.*/, ''))
          .replace(/http\S+/, baseUrl)
          .replace(email, `${page.length}${email}`)
          .replace('policy.yaml', join(svc.folder, 'policy.yaml'))
        const [name, ...args] = command.split(' ')
        expect(name).to.equal('svc')
        if (args.includes('--follow')) {
          // It takes a process, so the command of both pages is run once.
          expect(blockOf('docs/cli.md')).to.include(line)
          if (page !== 'docs/cli.md') continue
          const following = svc.start(args)
          await waitUntil(async () => {
            await svc.run(['verify', '--endpoint', endpointId, '--purpose', 'read_data:list'])
            return following.written.out === '' ? null : true
          })
          expect((await following.stop()).code, line).to.equal(0)
        } else {
          const ran = await svc.run(args, args.includes('--key') ? shop.apiKey : password)
          expect(ran, line + ran.err).to.include({ code: 0 })
        }
      }
    })
  }

  it('docs/concepts/boundaries.md and client/README.md explain and evaluate a policy', async () => {
    const request = join(svc.folder, 'request.json')
    writeFileSync(request, '{"purpose":"shopping:buy"}')
    const written = [
      blockOf('docs/concepts/boundaries.md'),
      /npm run svc -- policy evaluate \S+ \S+?(?=`)/.exec(
        readFileSync(join(ROOT, 'docs/concepts/boundaries.md'), 'utf8'),
      )?.[0] ?? '',
      blockOf('client/README.md', 10),
    ].join('\n')
    const commands = written
      .split('\n')
      .map((line) => line.replace(/ *#.*/, ''))
      .filter(Boolean)
    expect(commands).to.have.length(6)
    for (const command of commands) {
      const words = command
        .replace(/^npm run svc -- policy|^npx svc-policy/, 'policy')
        .replace('policy.yaml', join(svc.folder, 'policy.yaml'))
        .replace('request.json', request)
      const ran = await svc.run(words.split(' '))
      expect(ran, command + ran.err).to.include({ code: 0 })
    }
  })

  describe('docs/webhooks.md', () => {
    it('shows the members of an event, and verifies one', async () => {
      const { svceId, secret, set, verify } = await scene.newEndpoint()
      await set()
      await verify({ agentId, purpose: 'shopping:buy' })
      const { headers, body } = await waitUntil(async () => scene.receiver.received[0] ?? null)
      const shown = JSON.parse(blockOf('docs/webhooks.md'))
      const sent = JSON.parse(body)
      expect(Object.keys(shown)).to.have.members(Object.keys(sent))
      expect(sent.data).to.include.keys(...Object.keys(shown.data))
      expect(sent.data.eventData).to.include.keys(...Object.keys(shown.data.eventData))
      expect(sent.data).to.include({ endpointId: svceId, agentId })
      const given = `const [secret, rawBody, request] = ${JSON.stringify([secret, body, { headers }])}`
      const output = await runProgram(
        `${given}\n${blockOf('docs/webhooks.md', 1)}\nconsole.log(JSON.stringify(event))`,
      )
      expect(JSON.parse(output)).to.deep.equal(sent)
    })
  })

  it('docs/receipts.md refuses an unreadable receipt, and makes a gateway that reuses grants', async () => {
    const unreadable = await runProgram(
      `const receipt = undefined\n${blockOf('docs/receipts.md')}\nconsole.log(ok, reason, claims)`,
    )
    expect(unreadable).to.equal('false malformed null\n')
    const given = { apiBaseUrl: `${baseUrl}/api`, apiKey: shop.apiKey, counterpartyId: endpointId }
    const ready = await runProgram(
      `const { apiBaseUrl, apiKey, counterpartyId } = ${JSON.stringify(given)}
const priceOf = (req) => 0.05
${blockOf('docs/receipts.md', 1)}
console.log(await guard.ready)
await guard.settle()`,
    )
    expect(ready).to.equal('true\n')
  })

  it('docs/gate.md shows settings that the gate before an MCP server has', () => {
    const { command, args, env } = JSON.parse(fill(blockOf('docs/gate.md', 4)))
    expect([command, args[0]]).to.deep.equal(['svc-gate', 'mcp'])
    const known = Object.values(SETTINGS).map(({ variable }) => variable)
    expect([...known, 'SVC_API_KEY']).to.include.members(Object.keys(env))
    const key = env.SVC_API_KEY.replace('…', 'x')
    expect(readMcpSettings({ args: args.slice(1), env: { ...env, SVC_API_KEY: key } })).to.not.equal(null)
  })

  it('docs/foreign-agents.md lists registries of other chains that the service reads', () => {
    const reviewers = [1, 2].map((last) => `0x${String(last).padStart(40, '0')}`)
    const setting = blockOf('docs/foreign-agents.md').replace('0x…+0x…', reviewers.join('+'))
    const { foreignRegistries } = readConfig({ FOREIGN_REGISTRIES: setting })
    expect(foreignRegistries.map(({ chainId }) => chainId)).to.deep.equal([8453, 1])
    expect(foreignRegistries[1]?.reviewers).to.deep.equal(reviewers)
  })

  it('docs/mandates.md hands over a mandate in a request that the service decides', async () => {
    const body = JSON.parse(fill(blockOf('docs/mandates.md')))
    const { status } = await api(baseUrl, 'POST', '/api/agents/verify-access', { bearer: shop.apiKey, body })
    expect(status).to.equal(200)
  })

  describe('docs/operations.md', () => {
    /** The container tools, which only say what they were told. */
    const STAND_INS = 'docker() { echo "docker $*"; }; kubectl() { echo "kubectl $*"; };'

    it('makes the secrets that Compose and Kubernetes mount', async () => {
      const script = `${STAND_INS} umask 077; ${blockOf('docs/operations.md')}${blockOf('docs/operations.md', 1)}`
      const { stdout } = await run('bash', ['-euc', script], { cwd: folder.path })
      expect(stdout).to.include('docker compose up --build\n').and.include('kubectl apply -k your-overlay\n')
      const { secrets } = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as {
        secrets: Record<string, { file: string }>
      }
      for (const { file } of Object.values(secrets)) {
        expect(existsSync(join(folder.path, file)), file).to.equal(true)
        // The users of the containers read them, whatever the umask was.
        expect(statSync(join(folder.path, file)).mode & 0o777, file).to.equal(0o644)
      }
      expect(statSync(join(folder.path, 'secrets')).mode & 0o777).to.equal(0o700)
      const named = [...stdout.matchAll(/--from-file=(\S+)/g)].map(([, file = '']) => file)
      for (const file of named) expect(existsSync(join(folder.path, file)), file).to.equal(true)
      const deployment = readFileSync(join(ROOT, 'deploy/kubernetes/deployment.yaml'), 'utf8')
      const mounted = [...deployment.matchAll(/value: \/run\/secrets\/svc-registry\/(\S+)/g)].map(
        ([, name]) => name,
      )
      expect(named.map((file) => file.replace('secrets/', ''))).to.have.members(mounted)
      expect(
        Buffer.from(readFileSync(join(folder.path, 'secrets/secrets-key'), 'utf8'), 'base64'),
      ).to.have.length(32)
    })

    it('shows a list of witnesses that the service reads', async () => {
      const witness = await startWitness()
      await witness.stop()
      const file = join(folder.path, 'witnesses')
      writeFileSync(file, blockOf('docs/operations.md', 2).replace(/^witness\S+/m, witness.verifierKey))
      expect(readConfig({ WITNESSES_FILE: file }).witnesses).to.have.length(1)
    })
  })
})
