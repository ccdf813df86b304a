import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { countClicks } from './support/countClicks.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'
import { tabTo } from './support/tabTo.ts'

const run = promisify(execFile)
const VIEWPORTS = {
  'on a desktop': { width: 1280, height: 900 },
  'on a phone': { width: 390, height: 844 },
} as const
const CLICKS_MAX = 5

describe('whoever protects an API, from the first visit to a granted request', function () {
  this.timeout(240_000)
  let service: StartedService
  let browser: Browser
  let people = 0
  const clicks = new WeakMap<Page, () => Promise<number>>()
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
  })
  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service?.stop())
  after(() => browser?.close())

  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const step = (page: Page, number: number) => page.locator('ol > li').nth(number - 1)
  const awaitDone = (page: Page, number: number) =>
    page.getByRole('img', { name: `Step ${number}: Done` }).waitFor()

  async function open(viewport: { width: number; height: number }): Promise<Page> {
    const page = await openPage(browser, pageErrors, { viewport })
    clicks.set(page, await countClicks(page))
    await page.goto(service.baseUrl.replace('127.0.0.1', 'localhost'))
    return page
  }

  /** Types the fields of a form from the given one on, and submits it. */
  async function type(page: Page, ...values: string[]): Promise<void> {
    for (const [at, value] of values.entries()) {
      if (at > 0) await page.keyboard.press('Tab')
      await page.keyboard.type(value)
    }
    await page.keyboard.press('Enter')
  }

  async function signUp(page: Page): Promise<void> {
    people += 1
    await button(page, 'Create an account').click()
    await page.locator('input[name=fullName]').click()
    await type(page, 'Ada Example', `ada${people}@acme.io`, 'correct horse battery')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }

  async function setUp(page: Page): Promise<void> {
    await button(page, /^I protect an API/).click()
    await page.locator('input[name=organization]').click()
    await type(page, 'Acme', 'https://api.acme.io/v1')
    await awaitDone(page, 1)
  }

  /** The snippet as the terminal gets it. */
  async function runSnippet(page: Page): Promise<{ recommendation: string; agent: { name: string } }> {
    const snippet = await page.getByLabel('Request a decision').textContent()
    return JSON.parse((await run('bash', ['-euc', snippet ?? ''])).stdout)
  }

  for (const [where, viewport] of Object.entries(VIEWPORTS)) {
    it(`needs at most ${CLICKS_MAX} clicks and one paste ${where}`, async () => {
      const page = await open(viewport)
      await signUp(page)
      expect(await findPageProblems(page, 'the question')).to.deep.equal([])
      await setUp(page)
      await page.getByText('Waiting for your first request…').waitFor()
      await button(page, 'Copy').click()
      expect(await clicks.get(page)?.()).to.be.at.most(CLICKS_MAX)
      expect(await findPageProblems(page, 'the snippets')).to.deep.equal([])
      const answer = await runSnippet(page)
      expect(answer.recommendation).to.equal('grant')
      expect(answer.agent.name).to.equal('Sample agent of Acme')
      await awaitDone(page, 3)
      const row = step(page, 3).getByRole('link', { name: /Granted/ })
      await row.waitFor()
      // Our own styles win over those of the component library, whichever arrived first.
      expect(await row.evaluate((element) => getComputedStyle(element).display)).to.equal('flex')
      expect(await findPageProblems(page, 'the first grant')).to.deep.equal([])
      await page.context().close()
    })
  }

  it('explains a granted, a held and a denied request by dry runs, and then counts as done', async () => {
    const page = await open(VIEWPORTS['on a desktop'])
    await signUp(page)
    await setUp(page)
    const decision = page.getByRole('status', { name: 'Decision' })
    for (const [amount, outcome] of [
      ['$20.00', /^Granted/],
      ['$200.00', /^Held/],
      ['$5,000.00', /^Denied/],
    ] as const) {
      await button(page, amount).click()
      await button(page, 'Decide').click()
      await decision.filter({ hasText: outcome }).waitFor()
    }
    expect(await findPageProblems(page, 'a denied request')).to.deep.equal([])
    expect(await page.getByText('You are set up').count()).to.equal(0)
    await runSnippet(page)
    await page.getByText('You are set up').waitFor()
    await page.reload()
    await button(page, 'First steps').waitFor()
    expect(await page.getByRole('region', { name: 'Protect an API' }).count()).to.equal(0)
    await page.context().close()
  })

  it('needs no mouse', async () => {
    const page = await open(VIEWPORTS['on a desktop'])
    await button(page, 'Create an account').focus()
    await page.keyboard.press('Enter')
    await page.locator('input[name=fullName]').focus()
    await type(page, 'Ada Example', 'ada.keys@acme.io', 'correct horse battery')
    await button(page, /^I protect an API/).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Protect an API' }).waitFor()
    await tabTo(page, 'input[name=organization]')
    await type(page, 'Acme', 'https://api.acme.io/v1')
    await awaitDone(page, 1)
    await tabTo(page, 'button:has-text("Copy")')
    await runSnippet(page)
    await awaitDone(page, 3)
    expect(await clicks.get(page)?.()).to.equal(0)
    await page.context().close()
  })

  it('says after a reload that the key is not known, and makes a new one that works', async () => {
    const page = await open(VIEWPORTS['on a desktop'])
    await signUp(page)
    await setUp(page)
    const first = await page.getByLabel('Request a decision').textContent()
    await page.reload()
    await page.getByText('Replace YOUR_API_KEY by your API key').waitFor()
    expect(await page.getByLabel('Request a decision').textContent()).to.include('YOUR_API_KEY')
    expect(await findPageProblems(page, 'an unknown key')).to.deep.equal([])
    await button(page, 'Make a new key').click()
    await page.getByText('Save the API key now').waitFor()
    expect(await page.getByLabel('Request a decision').textContent()).not.to.equal(first)
    expect((await runSnippet(page)).recommendation).to.equal('grant')
    await awaitDone(page, 3)
    await page.context().close()
  })

  it('resumes where the set-up failed, with the organisation and the key that it made', async () => {
    const page = await open(VIEWPORTS['on a desktop'])
    await signUp(page)
    await page.route('**/api/endpoints', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await button(page, /^I protect an API/).click()
    await page.locator('input[name=organization]').click()
    await type(page, 'Acme', 'https://api.acme.io/v1')
    await page.getByRole('alert').waitFor()
    await page.unroute('**/api/endpoints')
    await button(page, 'Continue').click()
    await awaitDone(page, 1)
    const [{ keys = 0 } = {}] = await service.rows<{ keys: number }>('SELECT count(*) AS keys FROM api_keys')
    const [{ organisations = 0 } = {}] = await service.rows<{ organisations: number }>(
      'SELECT count(*) AS organisations FROM organizations',
    )
    expect([Number(keys), Number(organisations)]).to.deep.equal([1, 1])
    await page.context().close()
  })

  it('leaves a sample agent that says so, which its owner can retire, and no way to sign in with its key', async () => {
    const page = await open(VIEWPORTS['on a desktop'])
    await signUp(page)
    await setUp(page)
    await page.getByRole('link', { name: 'sample agent', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: 'Sample agent of Acme' }).waitFor()
    await page.getByText('A sample for trying out decisions').first().waitFor()
    await page.getByRole('tab', { name: 'Settings', exact: true }).click()
    await button(page, /^Retire/).waitFor()
    const [{ wallets = -1 } = {}] = await service.rows<{ wallets: number }>(
      'SELECT count(*) AS wallets FROM wallets',
    )
    expect(Number(wallets)).to.equal(0)
    await page.context().close()
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
