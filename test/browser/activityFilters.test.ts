import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findViolations } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

/** More than a page of the list, before and after the endpoint searched for. */
const MANY = 40
/** A field with its name, and a row of buttons. */
const FOLDED_PX_MAX = 160

describe('the activity filters in a browser, 320 pixels wide', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  let wanted: { svceId: string; id: string }
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService({ settings: { API_RATE_PER_MINUTE: '1000' } })
    const person = {
      email: 'ada@people.io',
      password: 'correct horse battery',
      fullName: 'Ada',
      accountType: 'business',
    }
    const call = async (path: string, body: object, bearer?: string) =>
      (await api(service.baseUrl, 'POST', path, { body, ...(bearer ? { bearer } : {}) })).body
    const { accessToken, refreshToken } = (await call('/api/auth/register', person)).data
    const { organizationId } = await call('/api/organizations', { name: 'Acme' }, accessToken)
    const { key } = await call('/api/api-keys', { name: 'key', organizationId }, accessToken)
    const post = (path: string, body: object) => call(path, body, key)
    const claim = async (name: string, nth: number) =>
      (
        await post('/api/endpoints', {
          counterpartyType: 'api',
          name,
          counterpartyUrl: `https://e${nth}.acme.io/`,
        })
      ).endpoint
    wanted = await claim('Wanted shop', 0)
    for (let nth = 1; nth <= MANY; nth += 1) await claim(`Endpoint ${nth}`, nth)
    for (let nth = 1; nth <= MANY; nth += 1) {
      await post('/api/agents/verify-access', { counterpartyUrl: `https://seen${nth}.acme.io/` })
    }
    await post('/api/agents/verify-access', { counterpartyId: wanted.svceId })
    page = await openPage(browser, pageErrors, { viewport: { width: 320, height: 640 } })
    await signInBrowser(page, service.baseUrl, refreshToken)
    await page.goto(`${service.baseUrl}/activity`)
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const field = (name: string) => page.getByRole('combobox', { name }).or(page.getByRole('textbox', { name }))
  const options = () => page.getByRole('listbox').getByRole('option')
  const filter = (name: string) => new URL(page.url()).searchParams.get(name)

  it('leave the screen to the list until they are unfolded, and still say how many are set', async () => {
    const filters = await page.getByRole('main').getByRole('search').boundingBox()
    expect(filters?.height).to.be.below(FOLDED_PX_MAX)
    expect(await field('Outcome').count()).to.equal(0)
    await page.goto(`${service.baseUrl}/activity?outcome=denied&endpoint=${wanted.svceId}`)
    await page.getByRole('button', { name: 'Filters (2 set)' }).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await page.goto(`${service.baseUrl}/activity?amountMin=x&currency=EUR`)
    await page.getByLabel('Amount from').waitFor()
    await page.goto(`${service.baseUrl}/activity`)
    await page.getByRole('button', { name: 'Filters' }).click()
    await field('Outcome').waitFor()
  })

  it('list claimed endpoints before discovered ones', async () => {
    await field('Endpoint').click()
    await options().first().waitFor()
    expect(await options().first().textContent()).to.contain(`Endpoint ${MANY}`)
    await page.getByText('Discovered', { exact: true }).waitFor()
    const texts = await options().allTextContents()
    expect(texts.findIndex((text) => text.startsWith('Endpoint '))).to.be.below(
      texts.findIndex((text) => text.includes('seen')),
    )
    await page.getByText('More results').waitFor()
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    expect(scrollWidth).to.equal(clientWidth)
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('find an endpoint by part of its name and show its name', async () => {
    await field('Endpoint').fill('wanted')
    await options().filter({ hasText: 'Wanted shop' }).click()
    await waitUntil(async () => (filter('endpoint') === wanted.svceId ? true : null))
    expect(await field('Endpoint').inputValue()).to.equal('Wanted shop')
    const rows = page.getByRole('main').locator('a[href^="/activity/"]')
    // Only the decision and the registration of this endpoint.
    await waitUntil(async () => ((await rows.count()) === 2 ? true : null))
  })

  it('show the name of the endpoint in the URL', async () => {
    await page.reload()
    await page.getByRole('button', { name: 'Filters (1 set)' }).click()
    await waitUntil(async () => ((await field('Endpoint').inputValue()) === 'Wanted shop' ? true : null))
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('can be cleared', async () => {
    await page.getByRole('button', { name: 'Clear endpoint' }).click()
    await waitUntil(async () => (filter('endpoint') === null ? true : null))
    expect(await field('Endpoint').inputValue()).to.equal('')
  })

  it('accept an identifier, even of someone else’s agent', async () => {
    const svcId = 'SVC-0000000000000000000000'
    await field('Agent').fill('nobody is called so')
    await page.getByText('No matches').waitFor()
    await field('Agent').fill(svcId)
    await options().filter({ hasText: svcId }).click()
    await waitUntil(async () => (filter('agent') === svcId ? true : null))
    await page.getByText('No matches').waitFor()
  })

  it('throw no errors and cause no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
