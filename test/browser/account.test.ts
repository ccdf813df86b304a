import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { addVirtualAuthenticator, signInWithPasskey } from './support/addVirtualAuthenticator.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { injectWallet } from './support/injectWallet.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const EMAIL = 'ada@people.io'
const PASSWORD = 'correct horse battery'
const NEXT_PASSWORD = 'another horse battery'
const STEP_MS = 30_000

describe('an account in a browser on a phone', () => {
  let service: StartedService
  let appUrl: string
  let browser: Browser
  let page: Page
  let keys: Awaited<ReturnType<typeof addVirtualAuthenticator>>
  const wallet = privateKeyToAccount(generatePrivateKey())
  const pageErrors: string[] = []
  const problems: string[] = []
  /** Codes are single-use, so the clock advances for each one. */
  let now = Date.now()

  // State passed from one step to the next.
  let secret = ''
  let recoveryCodes: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService({ clock: () => now })
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    page = await openPage(browser, pageErrors, { permissions: ['clipboard-read', 'clipboard-write'] })
    await injectWallet(page, wallet)
    keys = await addVirtualAuthenticator(page)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const post = (path: string, body: object, bearer?: string) =>
    api(service.baseUrl, 'POST', path, { body, ...(bearer === undefined ? {} : { bearer }) })

  async function go(path: string, title: string): Promise<void> {
    await showPath(page, path)
    await heading(title).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  }

  /** Records serious axe violations and horizontal overflow on the current page. */
  async function checkPage(name: string): Promise<void> {
    problems.push(...(await findPageProblems(page, name)))
  }

  /** Signs out, and ignores the passkey that the browser then offers until `signedIn`. */
  async function signOut(): Promise<void> {
    await go('/account', 'Account')
    await keys.setPresent(false)
    await button('Sign out').first().click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  }

  async function signedIn(): Promise<void> {
    await heading('Overview').waitFor()
    await keys.setPresent(true)
    await go('/account', 'Account')
  }

  async function enterPassword(password: string): Promise<void> {
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill(password)
    await button('Sign in').click()
  }

  const mails = (kind: string) =>
    existsSync(join(service.dataDir, 'mail'))
      ? readdirSync(join(service.dataDir, 'mail')).filter(
          (name) => name.startsWith(kind) && name.endsWith('.eml'),
        )
      : []
  const nextCode = () => {
    now += STEP_MS
    return generateSync({ secret, epoch: Math.floor(now / 1000) })
  }

  it('resends the confirmation link', async () => {
    await page.goto(appUrl)
    await button('Create an account').click()
    await page.locator('input[name=fullName]').fill('Ada Example')
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill(PASSWORD)
    await button('Create account').click()
    await heading('Overview').waitFor()
    await go('/account', 'Account')
    await section('Identity').getByText('Unconfirmed').waitFor()
    await button('Resend link').click()
    await page.getByText(`We have sent a new link to ${EMAIL}`).waitFor()
    await waitUntil(async () => (mails('verify_email').length === 2 ? true : null))
  })

  it('sets up an authenticator app by QR code or secret, once the recovery codes are saved', async () => {
    await button('Set up an authenticator app').click()
    await page.getByRole('img', { name: /^QR code/ }).waitFor()
    await checkPage('enrolment')
    secret = ((await page.getByText(/^([A-Z2-7]{4} )+[A-Z2-7]{1,4}$/).textContent()) ?? '').replaceAll(
      ' ',
      '',
    )
    recoveryCodes = await section('Authenticator app').getByRole('listitem').allTextContents()
    expect(recoveryCodes).to.have.lengthOf(10)
    await button('Copy codes').click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).to.equal(
      `${recoveryCodes.join('\n')}\n`,
    )
    const download = page.waitForEvent('download')
    await button('Download codes').click()
    expect((await download).suggestedFilename()).to.equal('recovery-codes.txt')
    expect(await button('Turn on').isDisabled()).to.equal(true)
    await page.getByLabel('I have saved the recovery codes').check()
    await page.locator('input[name=code]').fill('000000')
    await button('Turn on').click()
    await page.getByText('is not the code of now').waitFor()
    await page.locator('input[name=code]').fill(nextCode())
    await button('Turn on').click()
    await page.getByText('You have 10 recovery codes left.').waitFor()
  })

  it('signs in with password and a code from the app', async () => {
    await signOut()
    await enterPassword(PASSWORD)
    await page.locator('input[name=code]').fill(nextCode())
    await button('Sign in').click()
    await signedIn()
  })

  it('signs in with password and a single-use recovery code', async () => {
    await signOut()
    await enterPassword(PASSWORD)
    await page.locator('input[name=code]').fill(recoveryCodes[0] ?? '')
    await button('Sign in').click()
    await signedIn()
    await page.getByText('You have 9 recovery codes left.').waitFor()
  })

  it('changes the password, and rejects a wrong current password', async () => {
    await page.locator('input[name=currentPassword]').fill('not the password')
    await page.locator('input[name=newPassword]').fill(NEXT_PASSWORD)
    await button('Change password').click()
    await section('Password').getByText('is not the password').waitFor()
    await page.locator('input[name=currentPassword]').fill(PASSWORD)
    await button('Change password').click()
    await page.getByText('Password changed. Your other sessions have ended.').waitFor()
  })

  it('turns off the app with a code, and signs in with just the new password', async () => {
    await button('Turn off').click()
    await page.getByRole('dialog').locator('input[name=code]').fill(nextCode())
    await checkPage('turning the app off')
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await button('Set up an authenticator app').waitFor()
    await signOut()
    await enterPassword(NEXT_PASSWORD)
    await signedIn()
  })

  it('signs in with a passkey', async () => {
    await page.locator('input[name=passkeyName]').fill('My phone')
    await button('Add passkey').click()
    await button('Remove My phone').waitFor()
    await signOut()
    await signInWithPasskey(page, keys, heading('Overview'))
    await signedIn()
  })

  it('signs in with a linked wallet', async () => {
    await button('Link Test wallet').click()
    await page.getByText('Wallet linked').waitFor()
    await signOut()
    await button('Sign in with Test wallet').click()
    await signedIn()
    await section('Identity').getByText(EMAIL).waitFor()
  })

  it('removes a wallet after confirmation with the passkey', async () => {
    const remove = button(`Remove wallet ${wallet.address.toLowerCase()}`)
    await remove.click()
    await button('Remove wallet').click()
    await remove.waitFor({ state: 'detached' })
    await section('Wallets').getByText('None yet.').waitFor()
    await button('Link Test wallet').click()
    await page.getByText('Wallet linked').waitFor()
  })

  it('lists the sessions, marks the current one, and ends another', async () => {
    const login = { email: EMAIL, password: NEXT_PASSWORD }
    const other = (await api(service.baseUrl, 'POST', '/api/auth/login', { body: login })).body.data
    await page.reload()
    await section('Sessions').getByText('This session').waitFor()
    expect(await section('Sessions').getByText('This session').count()).to.equal(1)
    await checkPage('account')
    const ends = section('Sessions').getByRole('button', { name: /^Sign out Unknown client/ })
    await ends.first().click()
    await ends.first().waitFor({ state: 'detached' })
    const { status } = await api(service.baseUrl, 'GET', '/api/me', { bearer: other.accessToken })
    expect(status).to.equal(401)
  })

  it('shows a registration request and approves it with the passkey', async () => {
    const login = { email: EMAIL, password: NEXT_PASSWORD }
    const bearer: string = (await api(service.baseUrl, 'POST', '/api/auth/login', { body: login })).body.data
      .accessToken
    await go('/registration-requests', 'Registration requests')
    await page.getByText('No pending requests').waitFor()
    await checkPage('no registration requests')
    await service.rows('UPDATE users SET kyd_verified_at = 1 WHERE email = ?', EMAIL)
    const { key } = (await post('/api/api-keys', { name: 'pipeline' }, bearer)).body
    const asked = {
      name: 'Stock clerk',
      protocols: ['acp'],
      pdlss: { purpose: { categories: ['shopping'] } },
    }
    const declared = { acp: { merchantId: 'acme', checkoutEndpoint: 'https://acme.io/checkout' } }
    const first = await post('/api/agents/register', { ...asked, ...declared }, key)
    expect(first.status, JSON.stringify(first.body)).to.equal(202)
    await post('/api/agents/register', { name: 'Stranger' }, key)
    await page.goto(`${appUrl}/registration-requests/${first.body.requestId}`)
    await heading('Register Stock clerk?').waitFor()
    await page.getByText('One of your API keys (pipeline)').waitFor()
    await page.getByText('Agentic Commerce Protocol (ACP)').waitFor()
    await checkPage('registration request')
    await button('Approve with a passkey').click()
    await page.getByRole('link', { name: 'Go to the agent' }).click()
    await heading('Stock clerk').waitFor()
    await section('Trust score over time').getByRole('img').waitFor()
    await section('Declarations').getByText('https://acme.io/checkout').waitFor()
    await checkPage('agent of a request')
    await page.getByText('Table', { exact: true }).click()
    await checkPage('trust score as a table')
  })

  it('denies a registration request with a reason', async () => {
    await go('/registration-requests', 'Registration requests')
    await checkPage('registration requests')
    await page.getByRole('link', { name: /Stranger/ }).click()
    await button('Deny').click()
    await page.getByLabel('Reason').fill('Not mine')
    await checkPage('denial')
    await button('Deny request').click()
    await page.getByText('Reason given to the requester: “Not mine”').waitFor()
  })

  it('sets description and boundary of an agent that a stranger asks for', async () => {
    const asked = await post('/api/agents/request-registration', { agentName: 'Reader', ownerEmail: EMAIL })
    expect(asked.status, JSON.stringify(asked.body)).to.equal(202)
    await service.rows('UPDATE users SET email_verified_at = 1 WHERE email = ?', EMAIL)
    await go('/registration-requests', 'Registration requests')
    await page.getByRole('link', { name: /Reader/ }).click()
    await heading('Register Reader?').waitFor()
    await section('Your settings').getByLabel('Description').fill('Reads books')
    await section('Your settings').getByRole('tab', { name: 'JSON' }).click()
    await page.getByLabel('PDLSS as JSON').fill('{"purpose": {"categories": ["reading"]}}')
    await checkPage('registration request by e-mail')
    await button('Approve with a passkey').click()
    await page.getByRole('link', { name: 'Go to the agent' }).click()
    await heading('Reader').waitFor()
    await page.getByText('Reads books').first().waitFor()
    await page.getByRole('tab', { name: 'Boundary' }).click()
    await page.getByText('May act only for reading.').waitFor()
  })

  it('signs out everywhere', async () => {
    await go('/account', 'Account')
    await keys.setPresent(false)
    await section('Sessions').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  })

  it('passes axe without serious violations in light and dark mode, and fits the phone', () => {
    expect(problems).to.deep.equal([])
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
