import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { followQuickstart, isAsShown, type Step } from './followQuickstart.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Fails for the first step that did not print what the page shows. */
function expectAsShown(steps: readonly Step[]): void {
  for (const { command, output, shown } of steps) {
    if (shown?.language !== '') continue
    expect(isAsShown(output, shown.text), `${command}printed\n${output}instead of\n${shown.text}`).to.equal(
      true,
    )
  }
}

/** The members of a response that a page shows, in the same form. */
function pickShown(actual: unknown, shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map((item, nth) => pickShown((actual as unknown[])?.[nth], item))
  if (typeof shown !== 'object' || shown === null) return actual
  const members = actual as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, pickShown(members[name], value)]),
  )
}

/** Only the first page builds the client library, so it is built before: each page can be followed alone. */
describe('the quickstart', function () {
  this.timeout(600_000)
  let service: StartedService
  let variables: Record<string, string>

  before(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, 'scripts/buildClient.ts')], { cwd: ROOT })
    service = await startService()
    variables = { SVC_API_BASE_URL: `${service.baseUrl.replace('127.0.0.1', 'localhost')}/api` }
  })
  after(() => service?.stop())

  it('“Protect an API” ends with a stranger refused and an agent admitted, and the shop sees both', async () => {
    const home = createTemporaryFolder()
    const replaced = { '4000': String(await findFreePort()) }
    const follow = async () => {
      const steps = await followQuickstart('protect-an-api.md', home.path, { replaced, variables })
      return { steps, settings: readFileSync(join(home.path, 'shop/.env'), 'utf8') }
    }
    const { steps, settings } = await follow().finally(() => home.remove())
    expectAsShown(steps)
    const refusal = steps.find(({ shown }) => shown?.language === 'json')
    const shown = JSON.parse(refusal?.shown?.text ?? 'null')
    const response = JSON.parse(/\{.*\}/s.exec(refusal?.output ?? '')?.[0] ?? '{}')
    expect(pickShown(response, shown)).to.deep.equal(shown)
    expect(response.advisory.docsUrl).to.match(/\/docs\/denials#agentidentity$/)
    const [email, password] = ['SHOP_EMAIL', 'SHOP_PASSWORD'].map(
      (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(settings)?.[1],
    )
    const login = await api(service.baseUrl, 'POST', '/api/auth/login', { body: { email, password } })
    const bearer = login.body.data.accessToken
    const { items } = (await api(service.baseUrl, 'GET', '/api/activity', { bearer })).body
    expect(items.map((item: { eventType: string }) => item.eventType)).to.include.members([
      'verification.unverified_deny',
      'verification.completed',
    ])
  })

  it('“Run an agent” ends with a grant, a denial, and a held request that the owner approves', async () => {
    const home = createTemporaryFolder()
    const following = followQuickstart('run-an-agent.md', home.path, { replaced: {}, variables })
    const steps = await following.finally(() => home.remove())
    expectAsShown(steps)
  })

  it('“Verify a record” ends with a proven record, and an altered one refuted', async () => {
    const home = createTemporaryFolder()
    const replaced = { 'http://127.0.0.1:8545': service.rpcUrl }
    const following = followQuickstart('verify-as-an-auditor.md', home.path, { replaced, variables })
    const steps = await following.finally(() => home.remove())
    expectAsShown(steps)
  })
})
