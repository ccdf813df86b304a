import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { createOrganisation, registerEndpoint } from '../builders/participants.ts'
import { OPERATOR_SETTINGS } from '../builders/signInOperator.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { addVirtualAuthenticator } from './support/addVirtualAuthenticator.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const EMAIL = 'mallory@people.io'
const PASSWORD = 'correct horse battery'
const REASON = 'It sends the same request a million times a day.'

describe('moderation in a browser', () => {
  let service: StartedService
  let appUrl: string
  let browser: Browser
  let operators: Page
  let page: Page
  let apiKey: string
  const pageErrors: string[] = []
  const problems: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService({ settings: { ...OPERATOR_SETTINGS, SUPPORT_CONTACT: 'help@svc.io' } })
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    const body = { email: EMAIL, password: PASSWORD, fullName: 'Mallory', accountType: 'individual' }
    const bearer = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body.data.accessToken
    const created = await api(service.baseUrl, 'POST', '/api/api-keys', { bearer, body: { name: 'key' } })
    apiKey = created.body.key
    page = await openPage(browser, pageErrors)
    await signIn(page, EMAIL, PASSWORD)
    operators = await openPage(browser, pageErrors, { viewport: { width: 1280, height: 900 } })
    await addVirtualAuthenticator(operators)
    await signIn(operators, OPERATOR_SETTINGS.SVC_OPERATOR_EMAIL, OPERATOR_SETTINGS.SVC_OPERATOR_PASSWORD)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const fillIn = async (on: Page, email: string, password: string) => {
    await on.getByLabel('E-mail').fill(email)
    await on.locator('input[name=password]').fill(password)
    await on.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  const signIn = async (on: Page, email: string, password: string) => {
    await on.goto(appUrl)
    await fillIn(on, email, password)
    await on.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }
  const check = async (on: Page, name: string) => void problems.push(...(await findPageProblems(on, name)))
  const keyStatus = async () =>
    (await api(service.baseUrl, 'GET', '/api/activity', { bearer: apiKey })).status
  const row = (name: string) => operators.getByRole('article', { name, exact: true })
  const show = async (path: string) => {
    await showPath(operators, path)
    await operators.getByRole('heading', { level: 1, name: 'Moderation' }).waitFor()
    await operators.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  }
  /** Opens the dialog of a row, gives a reason and confirms with the passkey. */
  const take = async (name: string, label: string, reason = REASON) => {
    await operators.getByRole('button', { name: `${label}: ${name}`, exact: true }).click()
    await operators.getByLabel('Reason').fill(reason)
    await check(operators, `dialog ${label}`)
    await operators.getByRole('button', { name: `${label} with a passkey`, exact: true }).click()
    await operators.getByRole('dialog').waitFor({ state: 'detached' })
  }

  it('is in the menu of operators only', async () => {
    const link = (on: Page) => on.getByRole('navigation', { name: 'Pages' }).locator('a[href="/moderation"]')
    await operators.getByRole('link', { name: 'Moderation' }).click()
    await operators.getByRole('heading', { level: 1, name: 'Moderation' }).waitFor()
    expect(await link(operators).getAttribute('aria-current')).to.equal('page')
    expect(await link(page).count()).to.equal(0)
    await check(operators, 'accounts')
  })

  it('finds an account by the beginning of its address, and says when there is none', async () => {
    await operators.getByLabel('Search').fill('MALLORY@')
    await operators.getByLabel('Search').press('Enter')
    await row('Mallory').waitFor()
    expect(await operators.getByRole('article').count()).to.equal(1)
    expect(new URL(operators.url()).search).to.equal('?search=MALLORY%40')
    await operators.getByLabel('State').selectOption('suspended')
    await operators.getByText('No matches').waitFor()
    await check(operators, 'no matches')
    await operators.getByRole('button', { name: 'Clear' }).click()
    await row('Mallory').waitFor()
  })

  it('asks an operator without a passkey to add one first', async () => {
    await operators.getByRole('button', { name: 'Suspend: Mallory' }).click()
    await operators.getByText('A measure requires a passkey').waitFor()
    await check(operators, 'dialog without a passkey')
    await operators.getByRole('button', { name: 'Add passkey' }).click()
    await operators.getByLabel('Reason').waitFor()
    // A reason is needed, and the keyboard alone leaves the dialog.
    expect(await operators.getByRole('button', { name: 'Suspend with a passkey' }).isDisabled()).to.equal(
      true,
    )
    await operators.keyboard.press('Escape')
    await operators.getByRole('dialog').waitFor({ state: 'detached' })
    await operators.locator('button:focus[aria-label="Suspend: Mallory"]').waitFor()
  })

  it('suspends the account, which is signed out and refused with the reason and a contact', async () => {
    expect(await keyStatus()).to.equal(200)
    await take('Mallory', 'Suspend')
    await operators.getByText('Mallory is suspended, and the owner was told why').waitFor()
    await row('Mallory').getByText('Suspended', { exact: true }).waitFor()
    await row('Mallory').getByText(REASON).waitFor()
    await check(operators, 'suspended')
    expect(await keyStatus()).to.equal(403)
    await showPath(page, '/agents')
    for (const attempt of [async () => undefined, () => fillIn(page, EMAIL, PASSWORD)]) {
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      await attempt()
      const note = page.getByRole('alert').last()
      await note.getByText(REASON).waitFor()
      expect(await note.getByRole('link', { name: 'help@svc.io' }).getAttribute('href')).to.equal(
        'mailto:help@svc.io',
      )
      await check(page, 'sign-in of a suspended account')
      await page.goto(appUrl)
    }
  })

  it('says nothing of it to who does not know the password', async () => {
    await page.context().clearCookies()
    await page.goto(appUrl)
    await fillIn(page, EMAIL, 'not the password')
    await page.getByText('The e-mail address or the password is wrong.').waitFor()
    expect(await page.getByText('suspended').count()).to.equal(0)
  })

  it('ends the suspension, after which the owner signs in and sees what happened', async () => {
    await take('Mallory', 'End suspension', 'The requests have stopped.')
    await operators.getByText('Mallory is no longer suspended').waitFor()
    expect(await keyStatus()).to.equal(200)
    await signIn(page, EMAIL, PASSWORD)
    await page.goto(`${appUrl}/alerts`)
    await page.getByText('Reason: The requests have stopped.').waitFor()
    await page.getByText(`Reason: ${REASON}`).waitFor()
    await check(page, 'alerts')
    await page.goto(`${appUrl}/activity`)
    await page.getByRole('link', { name: 'Account suspended by an operator' }).first().waitFor()
  })

  it('suspends an organisation, which its members see as suspended', async () => {
    const { accessToken, organizationId } = await createOrganisation(service.baseUrl)
    const [name, owner] = ['Squatters', await api(service.baseUrl, 'GET', '/api/me', { bearer: accessToken })]
    await service.rows('UPDATE organizations SET name = ? WHERE id = ?', name, organizationId)
    await show('/moderation/organisations?search=Squat')
    await check(operators, 'organisations')
    await take(name, 'Suspend')
    await row(name).getByText('Suspended', { exact: true }).waitFor()
    const member = await openPage(browser, pageErrors)
    await signIn(member, owner.body.user.email, PASSWORD)
    await member.goto(`${appUrl}/organisations`)
    await member.getByText('Organisation suspended').waitFor()
    await check(member, 'organisations of a member')
    await member.getByRole('link', { name: 'Members of Squatters' }).click()
    await member.getByText('This organisation is suspended').waitFor()
    expect(await member.getByRole('button', { name: 'Invite member' }).count()).to.equal(0)
    await check(member, 'a suspended organisation')
    await member.context().close()
    await take(name, 'End suspension')
    await row(name).getByText('Active', { exact: true }).waitFor()
  })

  it('releases a URL, and says what still holds the host', async () => {
    const shop = await createOrganisation(service.baseUrl)
    const register = (name: string, path: string) =>
      registerEndpoint(service.baseUrl, shop.apiKey, {
        name,
        counterpartyUrl: `https://squat.acme.io/${path}`,
      })
    await register('First squat', 'a')
    await register('Second squat', 'b')
    await show('/moderation/endpoints?search=squat.acme.io')
    await check(operators, 'endpoints')
    await take('First squat', 'Release URL')
    await operators.getByText('Its owner has another endpoint on this host').waitFor()
    await row('First squat').getByText('Archived', { exact: true }).waitFor()
    await take('Second squat', 'Release URL')
    await operators.getByText('Others can register its URL now.').waitFor()
    expect(await row('Second squat').getByRole('button').count()).to.equal(0)
  })

  it('withdraws and restores a platform', async () => {
    await show('/moderation/platforms')
    await check(operators, 'platforms')
    const name = 'OpenAI crawlers and fetchers'
    await take(name, 'Withdraw')
    await row(name).getByText('Withdrawn', { exact: true }).waitFor()
    await take(name, 'Restore')
    await row(name).getByText('Recognised', { exact: true }).waitFor()
  })

  it('passes axe in both colour schemes and fits the phone, throughout', () => {
    expect(problems).to.deep.equal([])
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
