import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { createAgentProver } from '../builders/createAgentProver.ts'
import { registerAgent, registerEndpoint } from '../builders/participants.ts'
import { api } from '../harness/service/api.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

const LIMITS = {
  ...{ autonomousThreshold: 50, approvalThreshold: 500, maxTransactionsPerHour: 10 },
  currency: 'EUR',
}
/** Longer than the page waits before it reads its data again. */
const POLLED_MS = 20_000
const CAP = { maxCumulativeSpend: 400, currency: 'EUR' }

describe('the tabs of agents and endpoints in a browser', () => {
  let browser: Browser
  let scene: DashboardScene
  let page: Page
  let agentId: string
  let svceId: string
  /** Another owner’s. */
  let foreignId: string

  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
    page = scene.page
    const { baseUrl } = scene.service
    const fields = { name: 'Courier', pdlss: { purpose: { categories: ['shopping'] }, limits: LIMITS } }
    agentId = (await registerAgent(baseUrl, fields, { account: scene.wallet })).svcId
    foreignId = (await registerAgent(baseUrl, { name: 'Stranger' })).svcId
    const signedIn = page.waitForResponse((one) => one.url().endsWith('/api/auth/siwe'))
    await scene.signIn('/agents')
    const bearer = (await (await signedIn).json()).data.accessToken
    const create = async (path: string, body: object) =>
      (await api(baseUrl, 'POST', path, { bearer, body })).body
    const { organizationId } = await create('/api/organizations', { name: 'Acme' })
    const apiKey = (await create('/api/api-keys', { name: 'gateway', organizationId })).key
    svceId = await registerEndpoint(baseUrl, apiKey, { name: 'Orders', pdlss: { limits: CAP } })
    await decide(apiKey)
    await scene.heading('Agents').waitFor()
    await scene.addPasskey()
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  /** Three requests that are granted, one that is held, and two that are denied, one of them for two reasons. */
  async function decide(apiKey: string): Promise<void> {
    const prover = createAgentProver(scene.service.baseUrl, Date.now)
    prover.add(agentId, scene.wallet)
    const ask = async (purpose: string, transactionValue: number) => {
      const asked = { agentId, counterpartyId: svceId, purpose, transactionValue, currency: 'EUR' }
      const body = await prover.prove(asked)
      return (await api(scene.service.baseUrl, 'POST', '/api/agents/verify-access', { bearer: apiKey, body }))
        .body.recommendation
    }
    const decisions: string[] = []
    for (const value of [20, 30.5, 10, 60, 600]) decisions.push(await ask('shopping:buy', value))
    decisions.push(await ask('gambling:bet', 700))
    expect(decisions).to.deep.equal(['grant', 'grant', 'grant', 'step_up_required', 'deny', 'deny'])
  }

  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  const openedTab = () => page.getByRole('tab', { selected: true }).first().textContent()
  const tabInAddress = () => new URL(page.url()).searchParams.get('tab')
  const isOpen = (name: string) => page.getByRole('tab', { name, exact: true, selected: true }).waitFor()

  it('open by keyboard, and the address follows', async () => {
    await scene.go(`/agents/${agentId}`, 'Courier')
    expect(await openedTab()).to.equal('Overview')
    await tab('Overview').focus()
    for (const [key, name, address] of [
      ['ArrowRight', 'Integrate', 'integrate'],
      ['ArrowRight', 'Boundary', 'boundary'],
      ['ArrowLeft', 'Integrate', 'integrate'],
      ['ArrowLeft', 'Overview', null],
      ['ArrowLeft', 'Settings', 'settings'],
      ['ArrowRight', 'Overview', null],
    ] as const) {
      await page.keyboard.press(key)
      await isOpen(name)
      expect(tabInAddress()).to.equal(address)
      expect(await tab(name).evaluate((element) => element === document.activeElement)).to.equal(true)
    }
  })

  it('return with Back, stay after a reload, and open from a link', async () => {
    await scene.go(`/agents/${agentId}`, 'Courier')
    await scene.openTab('Keys')
    await scene.openTab('Events')
    await page.goBack()
    await isOpen('Keys')
    expect(tabInAddress()).to.equal('keys')
    await page.reload()
    await isOpen('Keys')
    await scene.section('Keys').waitFor()
    await page.goto(`${scene.appUrl}/endpoints/${svceId}?tab=allowlist`)
    await scene.section('Allowlist').waitFor()
    await page.goto(`${scene.appUrl}/endpoints/${svceId}?tab=unknown`)
    await isOpen('Overview')
  })

  it('show an agent’s owner what was decided', async () => {
    await scene.go(`/agents/${agentId}`, 'Courier')
    await scene.section('Traffic').getByText('Last request').waitFor()
    expect(await readCounts()).to.deep.equal({ Granted: 3, Audited: 0, 'Held for approval': 1, Denied: 2 })
    expect(await readRanking('Why requests were denied')).to.deep.equal([
      'The amount is more than the endpoint accepts. 2',
      'The amount is more than the agent may spend. 2',
      'The agent may not act for this purpose. 1',
    ])
    expect(await readRanking('Endpoints it contacted most')).to.deep.equal(['Orders 6'])
    const caps = scene.section('Used of the caps')
    await caps.getByRole('progressbar', { name: 'Courier: 3 of 10' }).waitFor()
    await caps.getByText('Spent in the last 30 days: €60.50 in 3 purchases.').waitFor()
    await scene.checkPage('overview of an agent')
  })

  it('show an endpoint’s owner what was decided, and what its cap has left', async () => {
    await scene.go(`/endpoints/${svceId}`, 'Orders')
    await scene.section('Traffic').getByText('Last request').waitFor()
    expect(await readCounts()).to.deep.equal({ Granted: 3, Audited: 0, 'Held for approval': 1, Denied: 2 })
    expect(await readRanking('Who asked most')).to.deep.equal(['Courier 6'])
    const caps = scene.section('Used of the caps')
    await caps.getByText('At most €400.00 a day, for each agent').waitFor()
    await caps.getByRole('progressbar', { name: 'Courier: €60.50 of €400.00' }).waitFor()
    await caps.getByText('Starts again at').waitFor()
    await scene.section('Traffic').getByText('24 hours').click()
    await scene.section('Traffic').getByRole('button', { name: 'Show table' }).click()
    const row = scene.section('Traffic').getByRole('row').nth(1)
    await row.waitFor()
    expect((await row.getByRole('cell').allTextContents()).join(' ')).to.equal('3 0 1 2')
    await scene.checkPage('overview of an endpoint')
  })

  it('keep what was entered in a form of another tab', async () => {
    await scene.go(`/endpoints/${svceId}?tab=settings`, 'Orders')
    await scene.label('Name').fill('Orders of tomorrow')
    await scene.openTab('Policy')
    await scene.button('Change boundary').click()
    await scene.label('Autonomous threshold').fill('40')
    await scene.openTab('Settings')
    expect(await scene.label('Name').inputValue()).to.equal('Orders of tomorrow')
    await scene.openTab('Policy')
    expect(await scene.label('Autonomous threshold').inputValue()).to.equal('40')
  })

  it('say the boundary in sentences beside the form, and after saving', async () => {
    const words = scene.section('In words')
    await words.getByText('May spend less than €40.00 on its own, and never more.').waitFor()
    await scene.label('Approval threshold').fill('300')
    await words
      .getByText(
        'May spend less than €40.00 on its own, asks its owner below €300.00, and never spends more.',
      )
      .waitFor()
    await scene.label('Approval threshold').fill('30')
    await words.getByText('Once all fields are valid').waitFor()
    await scene.label('Approval threshold').fill('300')
    await scene.checkPage('boundary in words')
    await scene.button('Save boundary').click()
    await words.waitFor({ state: 'detached' })
    const boundary = scene.section('Boundary')
    await boundary
      .getByText(
        'May spend less than €40.00 on its own, asks its owner below €300.00, and never spends more.',
      )
      .waitFor()
    await boundary.getByText('Each agent may spend at most €400.00 a day.').waitFor()
    await boundary.getByText('Not limited: purpose, duration, scope and self-instantiation.').waitFor()
  })

  it('warn that an empty boundary limits nothing', async () => {
    const { svcId } = await registerAgent(scene.service.baseUrl, { name: 'Free' }, { account: scene.wallet })
    await scene.go(`/agents/${svcId}?tab=boundary`, 'Free')
    await scene.section('Boundary').getByRole('status').getByText('Nothing limits this agent').waitFor()
    await scene.checkPage('empty boundary')
    await scene.openTab('Overview')
    await scene.section('Traffic').getByText('Not used yet').waitFor()
    await scene.checkPage('unused agent')
  })

  it('fill in the snippets', async () => {
    await scene.go(`/agents/${agentId}?tab=integrate`, 'Courier')
    await page.getByText(`svcId: '${agentId}'`).waitFor()
    await scene.go(`/endpoints/${svceId}?tab=integrate`, 'Orders')
    await page.getByText(`"counterpartyId": "${svceId}"`).waitFor()
  })

  it('say who holds the token on chain', async () => {
    await scene.go(`/agents/${agentId}`, 'Courier')
    await scene.section('On-chain identity').getByText('holds its token').waitFor()
    expect(await page.getByText('owned by the key').count()).to.equal(0)
  })

  it('read nothing while another tab is open, and everything as soon as they are opened again', async () => {
    await page.clock.install()
    await scene.go(`/agents/${agentId}`, 'Courier')
    await scene.section('Traffic').getByText('Last request').waitFor()
    await scene.openTab('Events')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const polled = page.waitForResponse((one) => new URL(one.url()).pathname === '/api/activity')
    await page.clock.fastForward(POLLED_MS)
    await polled
    const statistics = `/api/agents/${agentId}/statistics`
    expect(asked).to.include('/api/activity')
    expect(asked).to.not.include(statistics)
    const read = page.waitForResponse((one) => new URL(one.url()).pathname === statistics)
    await scene.openTab('Overview')
    await read
  })

  it('are only for the owner', async () => {
    await scene.go(`/agents/${foreignId}`, 'Stranger')
    await scene.section('Identity').waitFor()
    expect(await page.getByRole('tab').count()).to.equal(0)
    expect(await scene.section('Traffic').count()).to.equal(0)
  })

  it('pass axe without serious violations in light and dark mode, and fit the phone', () => {
    expect(scene.problems).to.deep.equal([])
  })

  it('throw no errors and cause no content security policy violations', () => {
    expect(scene.pageErrors).to.deep.equal([])
  })

  /** The number of decisions by outcome. */
  async function readCounts(): Promise<Record<string, number>> {
    const list = scene.section('Traffic').locator('dl')
    const [names, counts] = [
      await list.locator('dt').allTextContents(),
      await list.locator('dd').allTextContents(),
    ]
    return Object.fromEntries(names.map((name, at) => [name, Number(counts[at])]))
  }

  async function readRanking(name: string): Promise<string[]> {
    const items = await scene.section(name).getByRole('listitem').all()
    return Promise.all(items.map(async (item) => (await item.innerText()).replace(/\s+/g, ' ').trim()))
  }
})
