import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createAgentKey } from '../builders/createAgentKey.ts'
import { createOrganisation, registerAgent, registerEndpoint, signHeaders } from '../builders/participants.ts'
import { buildDocs } from '../harness/runner/buildDocs.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

describe('the search of the dashboard', () => {
  let browser: Browser
  let scene: DashboardScene
  let page: Page
  let svcId = ''
  let recordId = ''
  let sessionId = ''
  let shopKey = ''

  before(async function () {
    this.timeout(300_000)
    browser = await openBrowser(this)
    await buildDocs()
    scene = await openDashboardScene(browser)
    page = scene.page
    const account = scene.wallet
    svcId = (await registerAgent(scene.service.baseUrl, { name: 'Courier' }, { account })).svcId
    const shop = await createOrganisation(scene.service.baseUrl)
    const counterpartyId = await registerEndpoint(scene.service.baseUrl, shop.apiKey)
    const body = { agentId: svcId, counterpartyId, createSession: true }
    const asked = { bearer: shop.apiKey, body }
    const { body: answer } = await api(scene.service.baseUrl, 'POST', '/api/agents/verify-access', asked)
    recordId = answer.auditRecordId
    sessionId = answer.sessionId
    shopKey = shop.apiKey
    await scene.signIn('/')
    await scene.heading('Overview').waitFor()
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const input = () => page.getByLabel('Find a page, agent, endpoint, organisation or key')

  /** Loads the dashboard again, which knows nothing then. */
  async function load(): Promise<void> {
    await page.goto(scene.appUrl)
    await scene.heading('Overview').waitFor()
  }

  async function find(text: string, first: string): Promise<void> {
    await page.keyboard.press('Control+k')
    await input().fill(text)
    await page.getByRole('option').first().filter({ hasText: first }).waitFor()
  }

  it('takes what is typed before it has loaded', async () => {
    await load()
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/assets/FindAnything*.js', (route) => arrived.then(() => route.continue()))
    await page.keyboard.press('Control+k')
    await page.keyboard.type('couri')
    arrive()
    await input().waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('[role=dialog] input'))
    await page.keyboard.type('er')
    expect(await input().inputValue()).to.equal('courier')
    await page.unrouteAll()
  })

  it('goes to a page by a part of its name, with the keyboard', async () => {
    await find('regist', 'Registration requests')
    await scene.checkPage('find')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await scene.heading('Register an agent').waitFor()
    await input().waitFor({ state: 'detached' })
  })

  it('goes to an agent by its name, and by its identifier', async () => {
    await find('couri', 'Courier')
    await page.keyboard.press('Enter')
    await scene.heading('Courier').waitFor()
    await scene.go('/', 'Overview')
    await find(svcId, svcId)
    await page.keyboard.press('Enter')
    await scene.heading('Courier').waitFor()
  })

  it('goes to a record by its identifier', async () => {
    await scene.go('/', 'Overview')
    await find(recordId, 'Audit record')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/activity/${recordId}`)
  })

  it('goes to what a session, an address, a key or a place in the log belongs to', async () => {
    const { baseUrl } = scene.service
    const { jwk, kid } = createAgentKey()
    const path = `/api/agents/${svcId}/keys`
    const body = { key: jwk }
    const headers = await signHeaders(scene.wallet, { method: 'POST', path, body: JSON.stringify(body) })
    expect((await api(baseUrl, 'POST', path, { body, headers })).status).to.equal(201)
    const read = await api(baseUrl, 'GET', `/api/audit/records/${recordId}`, { bearer: shopKey })
    const { seq } = read.body.record
    const range = `/api/audit/export?from=${seq}&to=${seq}`
    await waitUntil(async () => {
      const exported = await fetch(baseUrl + range, { headers: { authorization: `Bearer ${shopKey}` } })
      return (await exported.text()) === '' ? null : true
    })
    await scene.go('/', 'Overview')
    for (const [text, first] of [
      [sessionId, 'Request'],
      [scene.wallet.address, 'Agent with this wallet'],
      [kid, 'Key of an agent'],
      [`#${seq}`, `Record ${seq} of the log`],
    ] as const) {
      await find(text, first)
      await page.keyboard.press('Escape')
      await input().waitFor({ state: 'detached' })
    }
    const chain = await api(baseUrl, 'GET', '/api/chain')
    await find(chain.body.contracts.auditLog, 'Contract of this service')
    await page.keyboard.press('Escape')
  })

  it('shows at once what it knows already, and ends requests whose answers are no longer wanted', async () => {
    await scene.go('/', 'Overview')
    // Not the beginning of the name, of which an earlier test may have asked for any part.
    await find('ouri', 'Courier')
    const agents = /\/api\/agents\?search=/
    await page.route(agents, () => undefined)
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('search=ourie&'))
    const asked = page.waitForRequest(/search=ourie&/)
    await input().fill('ourie')
    await page.getByRole('option').first().filter({ hasText: 'Courier' }).waitFor()
    await asked
    await input().fill('ouriex')
    await ended
    await page.getByText('Searching…').waitFor()
    await page.unroute(agents)
    await page.keyboard.press('Escape')
  })

  it('goes to an event by what its row says, and to an organisation by its identifier', async () => {
    await scene.go('/', 'Overview')
    await page.keyboard.press('Control+k')
    await input().fill('couri')
    await page.getByRole('option').filter({ hasText: 'Event' }).first().click()
    await page.waitForURL('**/activity/*')
    const { organizationId } = await createOrganisation(scene.service.baseUrl)
    await find(organizationId, 'Organisation')
    await page.keyboard.press('Escape')
  })

  it('says that it has found nothing, and closes with Escape', async () => {
    await page.getByRole('button', { name: 'Find', exact: true }).click()
    await input().fill('zzzz')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    await input().waitFor({ state: 'detached' })
  })

  it('goes to a heading of the documentation, whose list it loads once, when it opens', async () => {
    await load()
    const lists: string[] = []
    page.on('request', (request) => request.url().endsWith('/docs/pages.json') && lists.push(request.url()))
    expect(lists).to.deep.equal([])
    await find('webhook setting', 'Setting up a webhook')
    await page.getByRole('group', { name: 'Docs' }).waitFor()
    await scene.checkPage('find in the documentation')
    await page.keyboard.press('Escape')
    await find('webhook setting', 'Setting up a webhook')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/webhooks#setting-up-a-webhook')
    await page.getByRole('heading', { name: 'Setting up a webhook' }).waitFor()
    expect(lists).to.have.length(1)
  })

  it('finds everything else in a service without documentation', async () => {
    for (const list of [{ status: 404 }, { contentType: 'text/html', body: '<p>' }, 'unreachable'] as const) {
      await page.route('**/docs/pages.json', (route) =>
        list === 'unreachable' ? route.abort() : route.fulfill(list),
      )
      await load()
      await find('couri', 'Courier')
      await input().fill('webhook setting')
      await page.getByText('Nothing found').waitFor()
      await page.unroute('**/docs/pages.json')
      await page.keyboard.press('Escape')
    }
  })

  it('does not find the agent of somebody else by its name', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    await registerAgent(scene.service.baseUrl, { name: 'Vagabond' }, { account })
    await page.keyboard.press('Control+k')
    await input().fill('vagabond')
    await page.getByText('Nothing found').waitFor()
  })

  it('passes axe without serious violations, and throws no errors', () => {
    expect(scene.problems).to.deep.equal([])
    expect(scene.pageErrors.filter((error) => !error.includes('404'))).to.deep.equal([])
  })
})
