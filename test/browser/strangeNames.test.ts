import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const LONG = 'W'.repeat(200)
/** After the control character a browser renders text from right to left. */
const TURNED = 'Shop\u202eton'

describe('the dashboard with extreme names, 320 pixels wide', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  let organizationId: string
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    const email = 'ada@people.io'
    const body = { email, password: 'correct horse battery', fullName: LONG, accountType: 'business' }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body
    const call = (path: string, fields: object) =>
      api(service.baseUrl, 'POST', path, { bearer: data.accessToken, body: fields })
    organizationId = (await call('/api/organizations', { name: LONG })).body.organizationId
    const { body: made } = await call('/api/api-keys', { name: TURNED, organizationId })
    await api(service.baseUrl, 'POST', '/api/endpoints', {
      bearer: made.key,
      body: { counterpartyType: 'api', name: 'Shop', counterpartyUrl: 'https://shop.acme.io' },
    })
    // Stored names may be older than the rules for names.
    await service.rows('UPDATE endpoints SET name = ?', TURNED)
    page = await openPage(browser, pageErrors, { viewport: { width: 320, height: 640 } })
    await signInBrowser(page, service.baseUrl, data.refreshToken)
    await page.goto(service.baseUrl)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function go(path: string, title: string): Promise<void> {
    await showPath(page, path)
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  }

  it('fits the screen with long names in lists', async () => {
    for (const [path, title] of [
      ['/api-keys', 'API keys'],
      ['/organisations', 'Organisations'],
      [`/organisations/${organizationId}`, LONG],
      ['/endpoints', 'Endpoints'],
    ] as const) {
      await go(path, title)
      await page
        .getByRole('main')
        .getByText(/W{200}|Shop/)
        .first()
        .waitFor()
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
      expect(`${path} ${scrollWidth}`).to.equal(`${path} ${clientWidth}`)
    }
  })

  it('keeps all header buttons and the sign-out within reach', async () => {
    const account = page.getByRole('banner').getByRole('button', { name: 'Account' })
    const box = await account.boundingBox()
    expect((box?.x ?? 0) + (box?.width ?? 320)).to.be.at.most(320)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Agent registry' }).count()).to.equal(1)
    await account.click()
    const out = await page.getByRole('menuitem', { name: 'Sign out' }).boundingBox()
    expect((out?.x ?? 0) + (out?.width ?? 320)).to.be.at.most(320)
    const menu = await page.getByRole('menu').evaluate((one) => one.scrollWidth - one.clientWidth)
    expect(menu).to.be.at.most(0)
    await page.keyboard.press('Escape')
  })

  it('makes bidirectional control characters visible', async () => {
    await go('/endpoints', 'Endpoints')
    await page.getByRole('link', { name: /Shop\[U\+202E\]ton/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Shop[U+202E]ton' }).waitFor()
    expect(await page.title()).to.equal('Shop[U+202E]ton · Agent registry')
  })

  it('causes no errors', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
