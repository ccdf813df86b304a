import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openAccount } from '../../scripts/demo/openAccount.ts'
import { openSignInLinks, type SignInLinks } from '../../scripts/demo/openSignInLinks.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

describe('the sign-in link of the demo', () => {
  let browser: Browser
  let service: StartedService
  let links: SignInLinks
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
  })
  after(async () => {
    await links?.close()
    await browser?.close()
    await service?.stop()
  })

  it('opens the dashboard signed in, and still is after a reload', async () => {
    const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    links = await openSignInLinks(baseUrl)
    const account = await openAccount(baseUrl, { name: 'Ada', domain: 'acme.io', accountType: 'business' })
    const page = await openPage(browser, pageErrors)
    await page.goto(links.add(account, '/activity'))
    await page.getByRole('heading', { name: 'Activity', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Activity', exact: true }).waitFor()
    expect(page.url()).to.equal(`${baseUrl}/activity`)
    expect(pageErrors).to.deep.equal([])
  })
})
