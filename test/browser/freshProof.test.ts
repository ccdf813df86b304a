import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findViolations } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

const EMAIL = 'ada@people.io'
const PASSWORD = 'correct horse battery'

describe('an owner without a passkey who signed in a while ago, in a browser', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    page = await openPage(browser, pageErrors)
    const body = { email: EMAIL, password: PASSWORD, fullName: 'Ada', accountType: 'individual' }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body
    await service.rows('UPDATE sessions SET authenticated_at = 1 WHERE user_id = ?', data.user.id)
    const appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    await signInBrowser(page, appUrl, data.refreshToken)
    await page.goto(`${appUrl}/account`)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })

  it('is asked to sign in again before an authenticator app is set up, and then continues on the page', async () => {
    await button('Set up an authenticator app').click()
    await page.getByText('SIGN_IN_NEEDED').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await button('Sign in again').click()
    await page.getByRole('heading', { level: 1, name: 'Sign in again' }).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    expect(await page.locator('input[name=email]').inputValue()).to.equal(EMAIL)
    await page.locator('input[name=password]').fill(PASSWORD)
    await button('Sign in').click()
    await button('Set up an authenticator app').click()
    await page.getByText('Scan this with your authenticator app').waitFor()
    expect(pageErrors).to.deep.equal([])
  })
})
