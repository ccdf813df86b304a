import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { createOrganisation } from '../builders/participants.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

describe('a visitor who is not signed in', () => {
  let browser: Browser
  let service: StartedService
  let page: Page
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
  })
  beforeEach(async () => {
    page = await openPage(browser, pageErrors)
    await page.goto(service.baseUrl.replace('127.0.0.1', 'localhost'))
    await page.getByRole('heading', { level: 1, name: 'May this agent do this, here, now?' }).waitFor()
  })
  afterEach(() => page.context().close())
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const decision = () => page.getByRole('status', { name: 'The decision' })
  const choosePrice = (euros: number) => page.getByRole('slider').fill(String(euros))

  it('sees at the home address what this is, for whom, and where the docs are', async () => {
    for (const role of ['You protect an API', 'You run an agent', 'You have to trust it']) {
      await page.getByRole('heading', { name: role }).waitFor()
    }
    expect(await page.getByRole('link', { name: 'Read the docs' }).getAttribute('href')).to.equal('/docs')
    const guides = page.getByRole('link', { name: /in five minutes$/ })
    expect(await guides.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).to.deep.equal(
      ['protect-an-api', 'run-an-agent', 'verify-as-an-auditor'].map((page) => `/docs/start/${page}`),
    )
    await page.setViewportSize({ width: 320, height: 640 })
    await decision().waitFor()
    expect(await findPageProblems(page, 'landing')).to.deep.equal([])
  })

  it('varies a decision by amount and purpose, without anything being sent', async () => {
    await decision().getByText('Granted').waitFor()
    const sent: string[] = []
    page.on('request', (one) => sent.push(one.url()))
    await choosePrice(120)
    await decision().getByText('Held').waitFor()
    await decision().getByText('The owner is asked').waitFor()
    await choosePrice(450)
    await decision().getByText('The amount is more than the endpoint accepts.').waitFor()
    await choosePrice(20)
    await page.getByText('Send money').click()
    await decision().getByText('The agent may not act for this purpose.').waitFor()
    expect(sent).to.deep.equal([])
    expect(await findPageProblems(page, 'denied sample')).to.deep.equal([])
  })

  it('varies it with the keyboard, too', async () => {
    await page.getByRole('slider').focus()
    for (let step = 0; step < 2; step += 1) await page.keyboard.press('ArrowRight')
    await decision().getByText('Held').waitFor()
  })

  it('gets to the form for a new account with one click, and signs in on the same page', async () => {
    await page.getByRole('button', { name: 'Get started' }).click()
    const name = page.getByLabel('Full name')
    await name.waitFor()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('E-mail').waitFor()
    await name.waitFor({ state: 'detached' })
  })

  it('reads the status of the service and of its parts', async () => {
    await createOrganisation(service.baseUrl)
    await page.getByRole('link', { name: 'Status of the service' }).click()
    await page.getByRole('heading', { level: 1, name: 'Status of the service' }).waitFor()
    await page.getByText('Everything works').waitFor()
    const parts = page.getByRole('region', { name: 'Parts' })
    for (const part of ['Database', 'Chain', 'Relayer', 'Audit records']) {
      await parts.getByText(part, { exact: true }).waitFor()
    }
    expect(await findPageProblems(page, 'status')).to.deep.equal([])
  })

  it('reads there which part has a problem, and what that means', async () => {
    await page.route('**/api/health', async (route) => {
      const response = await route.fetch()
      const report = await response.json()
      const chain = { status: 'warn', detail: 'the node does not respond' }
      await route.fulfill({ json: { ...report, status: 'warn', checks: { ...report.checks, chain } } })
    })
    await showPath(page, '/status')
    await page.getByText('Decisions are made, but part of the service has a problem').waitFor()
    await page.getByText('the node does not respond').waitFor()
    await page.getByText('decisions continue, and records are anchored later').first().waitFor()
  })

  it('meets no errors and no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
