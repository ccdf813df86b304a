import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type OpenIdProvider, startOpenIdProvider } from '../harness/peers/startOpenIdProvider.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findViolations } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

describe('an identity provider in a browser on a phone', () => {
  let service: StartedService
  let google: OpenIdProvider
  let appUrl: string
  let browser: Browser
  let page: Page
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    google = await startOpenIdProvider({
      ada: { email: 'ada@gmail.com', email_verified: true, name: 'Ada Lovelace' },
      eve: { email: 'eve@gmail.com', email_verified: false },
    })
    service = await startService({ settings: google.settings('GOOGLE') })
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    google.accept(`${appUrl}/api/auth/oauth/google/callback`)
    page = await openPage(browser, pageErrors)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await google?.stop()
  })

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const signInAs = async (login: string) => {
    await page.getByRole('link', { name: 'Sign in with Google', exact: true }).click()
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  /** Clears cookies and storage. */
  const clearBrowser = async () => {
    page = await openPage(browser, pageErrors)
    await page.goto(appUrl)
  }

  it('is offered only if configured', async () => {
    await page.goto(appUrl)
    await page.getByRole('link', { name: 'Sign in with Google', exact: true }).waitFor()
    expect(await page.getByText('Sign in with Microsoft').count()).to.equal(0)
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('signs in and returns to the requested page', async () => {
    await page.goto(`${appUrl}/account`)
    await signInAs('ada')
    await heading('Account').waitFor()
    await page.getByText('Ada Lovelace').first().waitFor()
    expect(new URL(page.url()).hash).to.equal('')
  })

  it('is listed on the account page, and cannot be removed as the only way to sign in', async () => {
    await page.getByText('Google, ada@gmail.com').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'Remove Google, ada@gmail.com' }).click()
    await page.getByText('Nothing else signs in to the account').waitFor()
  })

  it('can be linked from there', async () => {
    await page.getByRole('button', { name: 'Link Google', exact: true }).click()
    await page.getByText('Provider linked').waitFor()
    await page.getByText('Back to your account').click()
    await heading('Account').waitFor()
  })

  it('explains a failed sign-in', async () => {
    await clearBrowser()
    await signInAs('eve')
    await page.getByText('The provider has not confirmed your e-mail address').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await page.goto('about:blank')
    await page.goto(`${appUrl}/sign-in/callback#error=state_mismatch`)
    await page.getByText('This sign-in has expired').waitFor()
  })

  it('explains a declined sign-in', async () => {
    await clearBrowser()
    await page.getByRole('link', { name: 'Sign in with Google', exact: true }).click()
    await page.getByText('Cancel').click()
    await page.getByText('The sign-in was declined at the provider').waitFor()
    await page.getByText('Back to sign-in').click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
