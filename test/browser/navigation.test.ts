import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { registerEndpoint } from '../builders/participants.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const PASSWORD = 'correct horse battery'

describe('the menu and the organisation switcher', () => {
  let browser: Browser
  let service: StartedService
  let page: Page
  let appUrl: string
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    const account = { email: 'ada@acme.io', password: PASSWORD, fullName: 'Ada', accountType: 'business' }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body: account })).body
    const bearer = data.accessToken
    const create = async (path: string, body: object) =>
      (await api(service.baseUrl, 'POST', path, { bearer, body })).body
    for (const name of ['Acme', 'Globex']) {
      const { organizationId } = await create('/api/organizations', { name })
      const { key } = await create('/api/api-keys', { name: `gateway of ${name}`, organizationId })
      await registerEndpoint(service.baseUrl, key, { name: `Orders of ${name}` })
    }
    page = await openPage(browser, pageErrors, { viewport: { width: 1280, height: 800 } })
    await signInBrowser(page, appUrl, data.refreshToken)
    await page.goto(appUrl)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const menu = () => page.getByRole('navigation', { name: 'Pages' })
  const groups = () => menu().getByRole('group')
  const go = async (path: string, title: string) => {
    await showPath(page, path)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  }
  const switcher = () => page.getByRole('banner').getByRole('combobox', { name: 'Organisation' })
  const countText = (text: string) => page.getByRole('main').getByText(text, { exact: true }).count()

  it('begins with what the account says it is here for, as soon as it says so', async () => {
    // The account has endpoints, so it is taken to protect an API.
    await page.getByRole('button', { name: 'Change role' }).click()
    await page.getByRole('button', { name: /^I run an agent/ }).click()
    await menu().getByRole('group', { name: 'Your agents' }).waitFor()
    expect(await groups().nth(1).getByRole('link').allInnerTexts()).to.include('Agents')
    await page.getByRole('button', { name: 'Change role' }).click()
    await page.getByRole('button', { name: /^I protect an API/ }).click()
    await groups().nth(1).getByRole('link', { name: 'Endpoints' }).waitFor()
    for (const name of ['Approvals', 'Agents', 'Activity', 'Alerts', 'Audit', 'API keys', 'Organisations']) {
      expect(await menu().getByRole('link', { name }).first().isVisible(), name).to.equal(true)
    }
    expect(await findPageProblems(page, 'menu')).to.deep.equal([])
  })

  it('shows lists of all organisations until one is chosen, and says so then', async () => {
    await go('/endpoints', 'Endpoints')
    expect([await countText('Orders of Acme'), await countText('Orders of Globex')]).to.deep.equal([1, 1])
    await switcher().selectOption('Acme')
    await page.getByText('Orders of Globex').waitFor({ state: 'detached' })
    await page.getByText('Only of Acme.').waitFor()
    await page.getByRole('main').getByText('Orders of Acme', { exact: true }).waitFor()
    await go('/api-keys', 'API keys')
    await page.getByText('gateway of Acme').waitFor()
    expect(await countText('gateway of Globex')).to.equal(0)
    expect(await findPageProblems(page, 'chosen organisation')).to.deep.equal([])
  })

  it('makes the chosen one the default of forms, also after the browser was closed', async () => {
    await switcher().selectOption('Globex')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor()
    await page.getByText('Only of Globex.').waitFor()
    await page.getByRole('button', { name: 'Create API key' }).click()
    const selected = (name: string) =>
      page.locator(`select[name=${name}]`).evaluate((one: HTMLSelectElement) => one.selectedOptions[0]?.text)
    expect(await selected('context')).to.equal('Globex')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await go('/endpoints/register', 'Register an endpoint')
    expect(await selected('organizationId')).to.equal('Globex')
  })

  it('is in the menu on a phone, and gives way to all organisations with one click', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await go('/endpoints', 'Endpoints')
    await page.getByRole('button', { name: 'Open the menu' }).click()
    const inMenu = page.getByRole('combobox', { name: 'Organisation' }).filter({ visible: true })
    await inMenu.selectOption('Acme')
    await page.getByRole('button', { name: 'Close the menu' }).click()
    await page.getByText('Only of Acme.').waitFor()
    expect(await findPageProblems(page, 'on a phone')).to.deep.equal([])
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('Orders of Globex').waitFor()
    await page.getByText('Only of').waitFor({ state: 'detached' })
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
