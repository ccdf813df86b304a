import { expect } from 'chai'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../harness/runner/findFreePort.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const PASSWORD = 'correct horse battery'
const EXPIRED = { success: false, code: 'UNAUTHENTICATED', message: 'The test lets it fail.' }

describe('a session in a browser', () => {
  const folder = createTemporaryFolder()
  let settings: Record<string, string>
  let service: StartedService
  let baseUrl: string
  let browser: Browser
  let page: Page
  let email: string
  let people = 0
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    const port = await findFreePort()
    settings = { PORT: String(port) }
    baseUrl = `http://127.0.0.1:${port}`
    service = await startService({ dataDir: folder.path, settings })
  })

  beforeEach(async () => {
    people += 1
    email = `ada${people}@people.io`
    page = await openPage(browser, pageErrors)
    await signInBrowser(page, baseUrl, (await signUp(email)).refreshToken)
    await page.goto(baseUrl)
    await seeOverview(page)
  })

  afterEach(() => page?.context().close())

  after(async () => {
    await browser?.close()
    await service?.stop()
    folder.remove()
  })

  async function signUp(address: string) {
    const body = { email: address, password: PASSWORD, fullName: 'Ada', accountType: 'individual' }
    return (await api(baseUrl, 'POST', '/api/auth/register', { body })).body.data
  }

  const heading = (tab: Page, name: string) => tab.getByRole('heading', { level: 1, name, exact: true })
  const signInForm = (tab: Page) => tab.getByRole('heading', { name: 'Sign in', exact: true })
  const seeOverview = (tab: Page) => heading(tab, 'Overview').waitFor()
  const button = (name: string) => page.getByRole('button', { name, exact: true })

  /** Opens another tab of the same browser. */
  async function openTab(path = '/', context: BrowserContext = page.context()): Promise<Page> {
    const tab = await context.newPage()
    await tab.goto(baseUrl + path)
    return tab
  }

  /** Ends all sessions of the account, as its owner would on another device. */
  async function endElsewhere(): Promise<void> {
    const { data } = (await api(baseUrl, 'POST', '/api/auth/login', { body: { email, password: PASSWORD } }))
      .body
    await api(baseUrl, 'POST', '/api/auth/logout-all', { bearer: data.accessToken })
  }

  async function signIn(address: string): Promise<void> {
    await page.locator('input[name=email]').fill(address)
    await page.locator('input[name=password]').fill(PASSWORD)
    await button('Sign in').click()
  }

  /** Opens the form for a new organisation and types half of it. */
  async function typeOrganisation() {
    await showPath(page, '/organisations')
    await button('Create organisation').click()
    const name = page.locator('input[name=name]')
    await name.fill('Acme, half typed')
    return name
  }

  /** Makes every tab need a new access token at the same moment, by a request for an agent that does not exist. */
  async function expireAtOnce(tabs: readonly Page[]): Promise<void> {
    const asked: Route[] = []
    for (const tab of tabs) {
      await tab.route('**/api/agents/SVC-1', (route) => void asked.push(route), { times: 1 })
      await showPath(tab, '/agents/SVC-1')
    }
    await waitUntil(async () => (asked.length === tabs.length ? true : null))
    await Promise.all(asked.map((route) => route.fulfill({ status: 401, json: EXPIRED })))
  }

  /** Waits until a tab shows the response that only a valid access token gets. */
  const seeAgentMissing = (tab: Page) =>
    tab.getByRole('alert').getByText('There is nothing here that you may see').first().waitFor()

  it('leaves nothing that a script could read', async () => {
    const readable = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }]),
    )
    expect(readable).not.to.match(/svc_|eyJ/)
    const [cookie] = await page.context().cookies()
    expect(cookie).to.include({ httpOnly: true, sameSite: 'Strict', path: '/', secure: false })
  })

  it('is not missed by a visitor who never had one', async () => {
    const visitor = await openPage(browser, pageErrors)
    const reported: string[] = []
    visitor.on('console', (message) => message.type() === 'error' && reported.push(message.text()))
    await visitor.goto(`${baseUrl}/endpoints`)
    await signInForm(visitor).waitFor()
    expect(reported).to.deep.equal([])
    expect(await visitor.getByRole('status').or(visitor.getByRole('alert')).count()).to.equal(0)
    await visitor.context().close()
  })

  it('is open in a new tab, also by Ctrl-click', async () => {
    await seeOverview(await openTab())
    await page.setViewportSize({ width: 1280, height: 800 })
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .getByRole('link', { name: 'Endpoints', exact: true })
        .first()
        .click({ modifiers: ['Control'] }),
    ])
    await heading(opened, 'Endpoints').waitFor()
    await heading(page, 'Overview').waitFor()
  })

  it('is open after a restart of the browser', async () => {
    const storageState = await page.context().storageState()
    await page.context().close()
    page = await openPage(browser, pageErrors, { storageState })
    await page.goto(`${baseUrl}/endpoints`)
    await heading(page, 'Endpoints').waitFor()
  })

  it('is open behind a link from another site, such as a webmailer', async () => {
    const mail = await page.context().newPage()
    const link = `<a href="${baseUrl}/approvals">Decide about the request</a>`
    await mail.route('http://mail.test/', (route) => route.fulfill({ contentType: 'text/html', body: link }))
    await mail.goto('http://mail.test/')
    await mail.getByRole('link').click()
    await heading(mail, 'Approvals').waitFor()
  })

  it('survives a page load whose response to the refresh is lost', async () => {
    await page.route('**/api/auth/refresh', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const isLost = page.waitForEvent('requestfailed')
    await page.reload({ waitUntil: 'commit' })
    await isLost
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await seeOverview(page)
  })

  it('is renewed only once when two tabs need it at the same time', async () => {
    const tabs = [page, await openTab()]
    await Promise.all(tabs.map(seeOverview))
    let refreshes = 0
    page.context().on('request', (request) => {
      if (request.url().endsWith('/api/auth/refresh')) refreshes += 1
    })
    await expireAtOnce(tabs)
    await Promise.all(tabs.map(seeAgentMissing))
    expect(refreshes).to.equal(1)
  })

  it('survives two tabs that cannot coordinate and renew it at the same time', async () => {
    await page.context().addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })
      Reflect.deleteProperty(window, 'BroadcastChannel')
    })
    await page.reload()
    const tabs = [page, await openTab()]
    await Promise.all(tabs.map(seeOverview))
    const exchanges: Route[] = []
    await page.context().route('**/api/auth/refresh', (route) => void exchanges.push(route))
    await expireAtOnce(tabs)
    await waitUntil(async () => (exchanges.length === tabs.length ? true : null))
    await Promise.all(exchanges.map((route) => route.continue()))
    await Promise.all(tabs.map(seeAgentMissing))
    await page.context().unrouteAll()
    for (const tab of tabs) {
      await tab.goto(baseUrl)
      await seeOverview(tab)
    }
  })

  it('ends in every tab when one signs out, and the others say so', async () => {
    const other = await openTab()
    await seeOverview(other)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await signInForm(page).waitFor()
    await other.getByText('You have signed out in another tab.').waitFor()
    await waitUntil(async () => ((await page.context().cookies()).length === 0 ? true : null))
    await page.reload()
    await signInForm(page).waitFor()
  })

  it('is not resumed after a sign-out that did not reach the service', async () => {
    await page.route('**/api/auth/logout', (route) => route.abort())
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await signInForm(page).waitFor()
    await page.reload()
    await page.getByText('The service could not be reached').waitFor()
    await page.unrouteAll()
    await signInForm(page).waitFor()
    expect(await page.context().cookies()).to.deep.equal([])
  })

  it('keeps what was typed when it ends, says why, and continues after signing in again', async () => {
    const name = await typeOrganisation()
    await endElsewhere()
    await page.getByText('You have been signed out on all devices.').waitFor()
    await heading(page, 'Sign in again').waitFor()
    expect(await heading(page, 'Organisations').isVisible()).to.equal(false)
    expect(await page.locator('input[name=email]').inputValue()).to.equal(email)
    expect(await findPageProblems(page, 'ended session')).to.deep.equal([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await signIn(email)
    await heading(page, 'Organisations').waitFor()
    expect(await name.inputValue()).to.equal('Acme, half typed')
    expect(new URL(page.url()).pathname).to.equal('/organisations')
    await button('Create').click()
    await page.getByText('Acme, half typed').waitFor()
  })

  it('continues when another tab signs in again', async () => {
    const other = await openTab()
    await seeOverview(other)
    await endElsewhere()
    await heading(other, 'Sign in again').waitFor()
    await heading(page, 'Sign in again').waitFor()
    await signIn(email)
    await seeOverview(page)
    await seeOverview(other)
  })

  it('shows nothing of the earlier page to somebody else who signs in', async () => {
    const stranger = `bob${people}@people.io`
    await signUp(stranger)
    const name = await typeOrganisation()
    await endElsewhere()
    await heading(page, 'Sign in again').waitFor()
    await signIn(stranger)
    await heading(page, 'Organisations').waitFor()
    expect(await name.count()).to.equal(0)
  })

  it('says at the next page load why it has ended, and keeps the address', async () => {
    await endElsewhere()
    await page.goto(`${baseUrl}/endpoints`)
    await page.getByText('You have been signed out on all devices.').waitFor()
    expect(await findPageProblems(page, 'sign-in after an ended session')).to.deep.equal([])
    await signIn(email)
    await heading(page, 'Endpoints').waitFor()
  })

  it('survives a restart of the service, and a page that could not be loaded recovers by itself', async () => {
    const loading = await page.context().newPage()
    await loading.route('**/api/auth/refresh', (route) => route.abort())
    await loading.goto(`${baseUrl}/endpoints`)
    await loading.getByText('The service could not be reached').waitFor()
    const half = await page.context().newPage()
    const assets = /\/assets\/shell-|\/api\/health/
    await half.route(assets, (route) => route.abort())
    await half.goto(`${baseUrl}/alerts`)
    await half.getByText('The service could not be reached').waitFor()
    const other = await openTab()
    await seeOverview(other)
    await showPath(page, '/agents/SVC-1')
    await seeAgentMissing(page)
    await service.stop()
    await showPath(page, '/agents/SVC-2')
    // The code of this page is not loaded yet.
    await showPath(other, '/audit')
    for (const tab of [page, other]) await tab.getByText('The service could not be reached').first().waitFor()
    service = await startService({ dataDir: folder.path, settings })
    await seeAgentMissing(page)
    await heading(other, 'Audit').waitFor()
    await loading.unrouteAll()
    await heading(loading, 'Endpoints').waitFor()
    await half.unrouteAll()
    await heading(half, 'Alerts').waitFor()
  })

  it('causes no errors', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
