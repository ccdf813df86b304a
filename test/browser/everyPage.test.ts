import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { seed } from '../../scripts/screenshots/seed.ts'
import {
  EMPTY_PAGES,
  OPERATOR_PAGES,
  PUBLIC_PAGES,
  type ShownPage,
  shownPages,
} from '../../scripts/screenshots/shownPages.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const PASSWORD = 'correct horse battery'
const OPERATOR = 'operator@people.io'

describe('every page of the dashboard has nothing that axe finds serious, and fits the phone', function () {
  this.timeout(240_000)
  let service: StartedService
  let browser: Browser
  let page: Page
  let appUrl: string
  const complaints: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService({
      settings: { SVC_OPERATOR_EMAIL: OPERATOR, SVC_OPERATOR_PASSWORD: PASSWORD },
    })
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
  })
  beforeEach(async () => {
    page = await openPage(browser, complaints)
  })
  afterEach(() => page.context().close())
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** What is wrong with pages, as whoever has the refresh token. */
  async function wrongWith(pages: readonly ShownPage[], refreshToken: string | null): Promise<string[]> {
    await page.goto(`${appUrl}/docs`)
    if (refreshToken !== null) {
      await page.evaluate((token) => sessionStorage.setItem('svc.refreshToken', token), refreshToken)
    }
    await page.goto(appUrl)
    const wrong: string[] = []
    for (const { name, path } of pages) {
      await showPath(page, path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
      wrong.push(...(await findPageProblems(page, name)))
    }
    return wrong
  }

  it('for who is not signed in', async () => {
    expect(await wrongWith(PUBLIC_PAGES, null)).to.deep.equal([])
  })

  it('for a new account, with nothing to show', async () => {
    const body = { email: 'new@people.io', password: PASSWORD, fullName: 'New', accountType: 'individual' }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body
    expect(await wrongWith(EMPTY_PAGES, data.refreshToken)).to.deep.equal([])
  })

  it('for an owner of agents and endpoints', async () => {
    const seeded = await seed(appUrl, service.dataDir)
    expect(await wrongWith(shownPages(seeded), seeded.refreshToken)).to.deep.equal([])
  })

  it('for an operator', async () => {
    const body = { email: OPERATOR, password: PASSWORD }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/login', { body })).body
    expect(await wrongWith(OPERATOR_PAGES, data.refreshToken)).to.deep.equal([])
  })

  it('and none throws or meets the content security policy', () => {
    expect(complaints).to.deep.equal([])
  })
})
