import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

describe('the API reference in a browser', () => {
  let service: StartedService
  let browser: Browser
  let page: Page

  before(async function () {
    browser = await openBrowser(this)
    service = await startService()
    page = await openPage(browser, [])
    await page.goto(`${service.baseUrl}/docs`)
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('fits a phone and passes axe without serious violations', async () => {
    expect(await findPageProblems(page, 'reference')).to.deep.equal([])
  })

  it('leads from its contents to each operation', async () => {
    await page.getByRole('link', { name: 'POST /api/agents/verify-access', exact: true }).click()
    const section = page.locator('section:target')
    await section.getByRole('heading', { name: 'POST /api/agents/verify-access', exact: true }).waitFor()
    const links = await page.locator('nav a').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    const ids = await page.locator('section').evaluateAll((all) => all.map(({ id }) => `#${id}`))
    expect(links.toSorted()).to.deep.equal(ids.toSorted())
  })
})
