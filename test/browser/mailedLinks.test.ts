import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { createOrganisation } from '../builders/participants.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findViolations } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

const EMAIL = 'ada@people.io'
const PASSWORD = 'correct horse battery'
const NEXT_PASSWORD = 'another horse battery'

describe('mailed links in a browser on a phone', () => {
  let service: StartedService
  let appUrl: string
  let browser: Browser
  let page: Page
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    page = await openPage(browser, pageErrors)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const post = (path: string, body: object, bearer?: string) =>
    api(service.baseUrl, 'POST', path, { body, ...(bearer ? { bearer } : {}) })
  /** Finds the link in the newest mail of a kind to an address. */
  const findLink = (kind: string, email: string) =>
    waitUntil(async () => {
      const folder = join(service.dataDir, 'mail')
      if (!existsSync(folder)) return null
      const texts = readdirSync(folder)
        .filter((name) => name.startsWith(kind) && name.endsWith('.eml'))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .filter((text) => text.includes(`To: ${email}`))
      const plain = texts
        .at(-1)
        ?.replace(/=\r?\n/g, '')
        .replaceAll('=3D', '=')
      return plain?.match(/http:\/\/localhost:\d+\/[^\s"<]+/)?.[0] ?? null
    })
  const signIn = async (email: string, password: string) => {
    await page.goto(appUrl)
    await page.getByLabel('E-mail').fill(email)
    await page.locator('input[name=password]').fill(password)
    await button('Sign in').click()
  }

  it('confirm an address after signing in', async () => {
    const body = { email: EMAIL, password: PASSWORD, fullName: 'Ada', accountType: 'individual' }
    const { data } = (await post('/api/auth/register', body)).body
    await page.goto(await findLink('verify_email', EMAIL))
    await page.getByText('Sign in to your account to confirm its address').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill(PASSWORD)
    await button('Sign in').click()
    await heading('Confirm your e-mail address').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await button('Confirm address').click()
    await page.getByText('Your address is confirmed').waitFor()
    const me = await api(service.baseUrl, 'GET', '/api/me', { bearer: data.accessToken })
    expect(me.body.user.isEmailVerified).to.equal(true)
  })

  it('report an error when used again', async () => {
    await page.goto(await findLink('verify_email', EMAIL))
    await button('Confirm address').click()
    await page.getByText('INVALID_TOKEN').waitFor()
  })

  it('reset a forgotten password', async () => {
    await page.context().clearCookies()
    await page.goto(appUrl)
    await page.getByText('Forgot your password?').click()
    await heading('Reset your password').waitFor()
    await page.getByLabel('E-mail').fill(EMAIL)
    await button('Send link').click()
    await page.getByText('Check your inbox').waitFor()
    await page.goto(await findLink('reset_password', EMAIL))
    expect(await findViolations(page)).to.deep.equal([])
    await page.locator('input[name=password]').fill(NEXT_PASSWORD)
    await button('Change password').click()
    await page.getByText('Your password has been changed').waitFor()
    await signIn(EMAIL, NEXT_PASSWORD)
    await heading('Overview').waitFor()
  })

  it('let an invitee join an organisation', async () => {
    const host = await createOrganisation(service.baseUrl)
    const path = `/api/organizations/${host.organizationId}/members`
    const invited = await post(path, { email: EMAIL, role: 'member' }, host.accessToken)
    expect(invited.status, JSON.stringify(invited.body)).to.be.below(300)
    await page.goto(await findLink('invitation', EMAIL))
    await heading('Organisation invitation').waitFor()
    await page.getByRole('region', { name: 'Acme' }).getByText('Member: manages endpoints').waitFor()
    await page.getByText(`You are signed in as ${EMAIL}, to which the invitation was sent.`).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await button('Accept invitation').click()
    await page.getByText('You have joined Acme').waitFor()
  })

  it('do not bypass the second factor', async () => {
    const login = { email: EMAIL, password: NEXT_PASSWORD }
    const { accessToken } = (await post('/api/auth/login', login)).body.data
    const { secret } = (await post('/api/auth/mfa/totp', {}, accessToken)).body
    const codeAt = (steps: number) =>
      generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
    expect((await post('/api/auth/mfa/totp/confirm', { code: codeAt(0) }, accessToken)).status).to.equal(200)
    await page.context().clearCookies()
    await signIn(EMAIL, NEXT_PASSWORD)
    expect(await findViolations(page)).to.deep.equal([])
    await page.locator('input[name=code]').fill('000000')
    await button('Sign in').click()
    await page.getByText('UNAUTHENTICATED').waitFor()
    await page.locator('input[name=code]').fill(codeAt(1))
    await button('Sign in').click()
    await heading('Overview').waitFor()
  })

  it('throw no errors and cause no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
