import { expect } from 'chai'
import type { Browser, Page, Route } from 'playwright-core'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

describe('the session of a tab with its single-use refresh token', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
  })

  beforeEach(async () => {
    const email = `ada-${Date.now()}@people.io`
    const body = { email, password: 'correct horse battery', fullName: 'Ada', accountType: 'individual' }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body
    page = await openPage(browser, pageErrors)
    await page.goto(`${service.baseUrl}/docs`)
    await page.evaluate((token) => sessionStorage.setItem('svc.refreshToken', token), data.refreshToken)
    await page.goto(service.baseUrl)
    await overview(page)
  })

  afterEach(() => page?.context().close())

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const overview = (tab: Page) => tab.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const refreshTokenOf = (tab: Page) => tab.evaluate(() => sessionStorage.getItem('svc.refreshToken'))

  /** Simulates the expiry of the access token. */
  const expire = (tab: Page) => tab.evaluate(() => sessionStorage.removeItem('svc.accessToken'))

  it('survives a reload while the requests of the first load are pending', async () => {
    await page.route('**/api/**', async (route) => {
      await route.fetch()
      await route.abort()
    })
    const isAsked = page.waitForRequest('**/api/**')
    await page.reload({ waitUntil: 'commit' })
    await (await isAsked).response().catch(() => null)
    await page.getByText('Sign in').first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.reload()
    await overview(page)
  })

  it('is renewed for a duplicate of the tab too', async () => {
    const [duplicate] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(() => void window.open(location.href)),
    ])
    await overview(duplicate)
    expect(await refreshTokenOf(duplicate)).to.equal(await refreshTokenOf(page))
    for (const tab of [page, duplicate, page]) {
      const before = await refreshTokenOf(tab)
      await expire(tab)
      await tab.reload()
      await overview(tab)
      expect(await refreshTokenOf(tab)).not.to.equal(before)
      const renewed = await refreshTokenOf(tab)
      for (const other of [page, duplicate]) {
        await waitUntil(async () => ((await refreshTokenOf(other)) === renewed ? true : null))
      }
    }
  })

  it('is renewed only once when duplicates need it at the same time', async () => {
    const [duplicate] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(() => void window.open(location.href)),
    ])
    await overview(duplicate)
    const tabs = [page, duplicate]
    const before = await refreshTokenOf(page)
    let refreshes = 0
    page.context().on('request', (request) => {
      if (request.url().endsWith('/api/auth/refresh')) refreshes += 1
    })
    // Both request a resource that needs a new access token and does not exist.
    const asked: Route[] = []
    const expired = { success: false, code: 'UNAUTHENTICATED', message: 'The test lets it fail.' }
    for (const tab of tabs) {
      await tab.route('**/api/agents/SVC-1', (route) => void asked.push(route), { times: 1 })
      await showPath(tab, '/agents/SVC-1')
    }
    await waitUntil(async () => (asked.length === tabs.length ? true : null))
    await Promise.all(asked.map((route) => route.fulfill({ status: 401, json: expired })))
    for (const tab of tabs) {
      await waitUntil(async () => ((await refreshTokenOf(tab)) !== before ? true : null))
    }
    expect(await refreshTokenOf(page)).to.equal(await refreshTokenOf(duplicate))
    expect(refreshes).to.equal(1)
  })

  it('causes no errors', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
