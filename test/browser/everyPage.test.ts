import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import {
  type DashboardPage,
  EMPTY_PAGES,
  listSeededPages,
  OPERATOR_PAGES,
  PUBLIC_PAGES,
} from '../../scripts/screenshots/pages.ts'
import { seed } from '../../scripts/screenshots/seed.ts'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findKeyboardProblems } from './support/findKeyboardProblems.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const PASSWORD = 'correct horse battery'
/** A narrow window, a window of 1280 px at 200 %, and the colour scheme in which all rules run. Source: WCAG 2.2, 1.4.10. */
const WINDOWS = [
  { width: 320, fully: ['light'] },
  { width: 640, fully: ['dark'] },
] as const
const DESKTOP_WIDTH = 1280
const HEIGHT = 720
const OPERATOR = 'operator@people.io'

describe('every page of the dashboard passes axe, fits 320 px and 200 %, and works by keyboard', function () {
  this.timeout(900_000)
  let service: StartedService
  let browser: Browser
  let page: Page
  let appUrl: string
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService({
      settings: { SVC_OPERATOR_EMAIL: OPERATOR, SVC_OPERATOR_PASSWORD: PASSWORD },
    })
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
  })
  beforeEach(async () => {
    page = await openPage(browser, pageErrors)
  })
  afterEach(() => page.context().close())
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Finds the problems of pages, signed in with the given refresh token. */
  async function findProblems(
    pages: readonly DashboardPage[],
    refreshToken: string | null,
  ): Promise<string[]> {
    if (refreshToken !== null) await signInBrowser(page, appUrl, refreshToken)
    await page.goto(appUrl)
    const problems: string[] = []
    for (const { name, path } of pages) {
      await showPath(page, path)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
      for (const { width, fully } of WINDOWS) {
        await page.setViewportSize({ width, height: HEIGHT })
        problems.push(...(await findPageProblems(page, name, fully)))
      }
      await page.setViewportSize({ width: DESKTOP_WIDTH, height: HEIGHT })
      problems.push(...(await findKeyboardProblems(page, name)))
    }
    return problems
  }

  it('for a visitor', async () => {
    expect(await findProblems(PUBLIC_PAGES, null)).to.deep.equal([])
  })

  it('for a new account without any data', async () => {
    const body = { email: 'new@people.io', password: PASSWORD, fullName: 'New', accountType: 'individual' }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body
    expect(await findProblems(EMPTY_PAGES, data.refreshToken)).to.deep.equal([])
  })

  it('for an owner of agents and endpoints', async () => {
    const seeded = await seed(appUrl, service.dataDir)
    expect(await findProblems(listSeededPages(seeded), seeded.refreshToken)).to.deep.equal([])
  })

  it('for an operator', async () => {
    const body = { email: OPERATOR, password: PASSWORD }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/login', { body })).body
    expect(await findProblems(OPERATOR_PAGES, data.refreshToken)).to.deep.equal([])
  })

  it('without errors or content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
