import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { registerAgent, registerEndpoint } from '../builders/participants.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findViolations } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const PASSWORD = 'correct horse battery'

describe('the dashboard in a browser', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  const pageErrors: string[] = []

  // State passed from one step to the next.
  let key = ''
  let svcId = ''
  let svceId = ''
  let auditRecordId = ''

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    page = await openPage(browser, pageErrors)
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  /** Navigates to a page as its link would, without a page load. */
  async function go(path: string, title: string): Promise<void> {
    await showPath(page, path)
    await heading(title).waitFor()
  }

  it('creates an account using only the keyboard', async () => {
    await page.goto(service.baseUrl)
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    await button('Create an account').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create an account', exact: true }).waitFor()
    await page.locator('input[name=fullName]').focus()
    await page.keyboard.type('Ada Example')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ada@acme.io')
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await heading('Overview').waitFor()
    await page.getByText('First steps').waitFor()
  })

  it('creates an organisation', async () => {
    await go('/organisations', 'Organisations')
    await button('Create organisation').click()
    await page.locator('input[name=name]').fill('Acme Orders')
    await button('Create').click()
    await page.getByText('Acme Orders').waitFor()
  })

  it('shows a new API key once', async () => {
    await go('/api-keys', 'API keys')
    await button('Create API key').click()
    await page.locator('input[name=name]').fill('gateway')
    await page.locator('select[name=context]').selectOption({ label: 'Acme Orders' })
    await button('Create').click()
    const shown = page.getByText(/^svc_live_[0-9A-Za-z]{32}$/)
    key = (await shown.textContent()) ?? ''
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    expect(await button('Close').count()).to.equal(0)
    expect(await shown.isVisible()).to.equal(true)
    await button('I have saved it').click()
    await page.getByText(`svc_live_…${key.slice(-4)}`).waitFor()
    await page.reload()
    await page.getByText(`svc_live_…${key.slice(-4)}`).waitFor()
    expect(await page.content()).not.to.include(key)
  })

  it('shows an endpoint registered with that key, and changes its policy', async () => {
    svceId = await registerEndpoint(service.baseUrl, key, { name: 'Orders API' })
    await go('/endpoints', 'Endpoints')
    await page.getByRole('link', { name: /Orders API/ }).click()
    await heading('Orders API').waitFor()
    const openTab = (tab: string) => page.getByRole('tab', { name: tab, exact: true }).click()
    await openTab('Settings')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Typed and not saved yet')
    await openTab('Policy')
    await page.getByRole('radio', { name: /Allow and audit/ }).click()
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT')
    await button('Save policy').click()
    await saved
    await page.locator('button:disabled', { hasText: 'Save policy' }).waitFor()
    await openTab('Settings')
    expect(await name.inputValue()).to.equal('Typed and not saved yet')
    const { body } = await api(service.baseUrl, 'GET', `/api/endpoints/${svceId}`, { bearer: key })
    expect(body.endpoint.unverifiedAgentPolicy).to.equal('audit')
  })

  it('shows a decision in the activity and proves it against the anchored root', async () => {
    svcId = (await registerAgent(service.baseUrl, { name: 'Buyer' })).svcId
    const verified = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: key,
      body: { counterpartyId: svceId, agentId: svcId, purpose: 'shopping:buy', resource: '/orders/4711' },
    })
    auditRecordId = verified.body.auditRecordId
    await go('/activity', 'Activity')
    await page.getByRole('link', { name: /shopping:buy · \/orders\/4711/ }).click()
    await page.locator('[data-proof=proven]').waitFor({ timeout: 30_000 })
    const claims = await page.locator('[data-proof=proven] li').allTextContents()
    expect(claims.join()).to.include('to the root').and.include('anchored batch')
    expect(new URL(page.url()).pathname).to.equal(`/activity/${auditRecordId}`)
  })

  it('detects an entry or proof that was tampered with', async () => {
    await page.route('**/proof', async (route) => {
      const response = await route.fetch()
      const proof = await response.json()
      await route.fulfill({ response, json: { ...proof, root: proof.root.replace(/.$/, flipped) } })
    })
    await page.reload()
    await page.locator('[data-proof=failed]').waitFor()
    await page.unroute('**/proof')
  })

  it('does not call an event proven that differs from its entry', async () => {
    const record = (url: URL) => url.pathname === `/api/audit/records/${auditRecordId}`
    await page.route(record, async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      answer.record.event.eventType = 'verification.denied'
      await route.fulfill({ response, json: answer })
    })
    await page.reload()
    const failed = page.locator('[data-proof=failed]')
    await failed.waitFor()
    expect(await failed.textContent()).to.include('verification.denied is shown')
    await page.unroute(record)
    await page.reload()
    await page.locator('[data-proof=proven]').waitFor()
  })

  it('finds a record by its identifier, lists the batches, and exports records with their proofs', async () => {
    await go('/audit', 'Audit')
    await page
      .getByRole('article', { name: /^Batch \d+$/ })
      .first()
      .waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    const record = page.getByLabel('Record identifier')
    await record.fill('nonsense')
    await button('Check record').click()
    await page.getByText('Enter an identifier such as').waitFor()
    const saving = page.waitForEvent('download')
    await button('Download').click()
    const saved = await readFile(await (await saving).path(), 'utf8')
    const lines = saved
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    await page.getByText(`${lines.length} records downloaded`).waitFor()
    expect(lines.map(({ recordId }) => recordId)).to.include(auditRecordId)
    for (const line of lines)
      expect(line).to.include.keys('entry', 'inclusionProof', 'root', 'transactionHash')
    await page.getByLabel('From record number').fill('999999')
    await button('Download').click()
    await page.getByText('None of your records in this range are final').waitFor()
    await page.getByLabel('To record number').fill('7')
    await page.getByText('‘From’ must not be greater than ‘To’').waitFor()
    expect(await page.getByLabel('From record number').getAttribute('aria-invalid')).to.equal('true')
    expect(await button('Download').isDisabled()).to.equal(true)
    await record.fill(` ${auditRecordId.toUpperCase()} `)
    await button('Check record').click()
    await page.waitForURL(`**/activity/${auditRecordId}`)
  })

  it('shows the batch that an address names, wherever it is in the list', async () => {
    const { items } = (await api(service.baseUrl, 'GET', '/api/audit/batches')).body
    const { number } = items.at(-1)
    const marked = page.locator('article[aria-current=true]')
    await go(`/audit#batch-${number}`, 'Audit')
    await marked.and(page.getByRole('article', { name: `Batch ${number}`, exact: true })).waitFor()
    await page.route('**/api/audit/batches?*', async (route) => {
      const response = await route.fetch()
      const { items, ...others } = await response.json()
      const shown = items.filter((batch: { number: number }) => batch.number !== number)
      await route.fulfill({ response, json: { ...others, items: shown } })
    })
    await page.reload()
    await marked.and(page.getByRole('article', { name: `Batch ${number}`, exact: true })).waitFor()
    expect(await marked.count()).to.equal(1)
    expect(await findViolations(page)).to.deep.equal([])
    await page.unrouteAll()
    await go('/audit#batch-999999', 'Audit')
    await page.getByText('There is no batch 999,999.').waitFor()
  })

  it('shows an agent’s public record', async () => {
    await go(`/agents/${svcId}`, 'Buyer')
    await page.getByText(svcId, { exact: true }).waitFor()
    await page.getByText('Only the owner can see').waitFor()
  })

  it('renews an expired access token once and continues', async () => {
    let refused = 0
    await page.route('**/api/agents?*', (route) => (refused++ === 0 ? expired(route) : route.continue()))
    await page.route('**/api/agents', (route) => (refused++ === 0 ? expired(route) : route.continue()))
    await go('/agents', 'Agents')
    await page.getByText('No agents yet').waitFor()
    expect(refused).to.equal(2)
    await page.unrouteAll()
  })

  it('says in words that there is nothing, with the code and the request id for support', async () => {
    await go('/activity/no-such-record', 'Event')
    await page.getByText('There is nothing here that you may see').waitFor()
    expect(await page.getByRole('alert').textContent()).to.match(/NOT_FOUND · .+ · request \S+/)
  })

  it('fits a phone without horizontal scrolling', async () => {
    const wide: string[] = []
    for (const [path, title] of PLACES) {
      await go(path, title)
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (excess > 0) wide.push(`${path} by ${excess}`)
    }
    expect(wide).to.deep.equal([])
    const account = await page.getByRole('button', { name: 'Account' }).boundingBox()
    expect((account?.x ?? 0) + (account?.width ?? 1_000)).to.be.at.most(page.viewportSize()?.width ?? 0)
  })

  it('signs out, and returns to the requested page after signing in', async () => {
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    await page.goto(`${service.baseUrl}/endpoints/${svceId}`)
    await page.locator('input[name=email]').fill('ada@acme.io')
    await page.locator('input[name=password]').fill(PASSWORD)
    await button('Sign in').click()
    await heading('Orders API').waitFor()
  })

  it('shows visitors how to register an agent, and that an approval link needs a sign-in', async () => {
    await page.context().clearCookies()
    await page.goto(`${service.baseUrl}/agents/register`)
    await heading('Register an agent').waitFor()
    await page.goto(`${service.baseUrl}/activity/pending/0190b1f0-0000-7000-8000-000000000000`)
    await page.getByText('An agent is waiting for its owner').waitFor()
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})

const PLACES = [
  ['/', 'Overview'],
  ['/account', 'Account'],
  ['/alerts', 'Alerts'],
  ['/approvals', 'Approvals'],
  ['/activity', 'Activity'],
  ['/agents', 'Agents'],
  ['/agents/register', 'Register an agent'],
  ['/endpoints', 'Endpoints'],
  ['/audit', 'Audit'],
  ['/api-keys', 'API keys'],
  ['/organisations', 'Organisations'],
] as const

function flipped(digit: string): string {
  return digit === '0' ? '1' : '0'
}

function expired(route: { fulfill(answer: object): Promise<void> }): Promise<void> {
  const json = { success: false, code: 'UNAUTHENTICATED', message: 'No valid credential.' }
  return route.fulfill({ status: 401, json })
}
