import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

type Person = { id: string; email: string; accessToken: string; refreshToken: string }

/** The size of a page of the list. */
const PART = 25

describe('the members of an organisation in a browser, 320 pixels wide', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  let members: string
  let organizationId: string
  let ada: Person
  let ben: Person
  let cleo: Person
  const pageErrors: string[] = []
  const problems: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    ada = await person('Ada')
    organizationId = (await call(ada, 'POST', '/api/organizations', { name: 'Acme' })).organizationId
    members = `/api/organizations/${organizationId}/members`
    ben = await join('Ben', 'member')
    cleo = await join('Cleo', 'admin')
    await call(ada, 'POST', members, { email: 'dora@people.io', role: 'viewer' })
    page = await open(ada)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function call(caller: Person, method: string, path: string, body?: object) {
    const answer = await api(service.baseUrl, method, path, {
      bearer: caller.accessToken,
      ...(body ? { body } : {}),
    })
    expect(answer.status, JSON.stringify(answer.body)).to.be.below(300)
    return answer.body
  }

  async function person(fullName: string): Promise<Person> {
    const email = `${fullName.toLowerCase()}@people.io`
    const body = { email, password: 'correct horse battery', fullName, accountType: 'individual' }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body
    await service.rows('UPDATE users SET email_verified_at = 1 WHERE id = ?', data.user.id)
    return { id: data.user.id, email, accessToken: data.accessToken, refreshToken: data.refreshToken }
  }

  async function join(fullName: string, role: string): Promise<Person> {
    const joining = await person(fullName)
    await call(ada, 'POST', members, { email: joining.email, role })
    await call(joining, 'PATCH', `${members}/${joining.id}`, { status: 'active' })
    return joining
  }

  /** Opens the page of the organisation as the given person. */
  async function open(reader: Person): Promise<Page> {
    const opened = await openPage(browser, pageErrors, { viewport: { width: 320, height: 640 } })
    await signInBrowser(opened, service.baseUrl, reader.refreshToken)
    await opened.goto(`${service.baseUrl}/organisations/${organizationId}`)
    await opened.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
    await opened.getByRole('article').first().waitFor()
    return opened
  }

  /** Records serious axe violations and horizontal overflow on the current page. */
  async function checkPage(name: string): Promise<void> {
    problems.push(...(await findPageProblems(page, name)))
  }

  const row = (name: string) => page.getByRole('article', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const confirm = (name: string) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  const status = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor()
  const stored = async (who: Person) =>
    (await service.rows('SELECT role, status FROM memberships WHERE user_id = ?', who.id))[0]

  it('are linked from the list of organisations', async () => {
    await page.goto(`${service.baseUrl}/organisations`)
    await page.getByRole('link', { name: 'Members of Acme' }).click()
    await page.getByRole('heading', { level: 1, name: 'Acme' }).waitFor()
  })

  it('are shown for an organisation that has just been created', async () => {
    await page.goto(`${service.baseUrl}/organisations`)
    await button('Create organisation').click()
    await page.getByLabel('Name').fill('Bakery')
    await confirm('Create')
    await page.getByRole('link', { name: 'Members of Bakery' }).click()
    await page.getByRole('heading', { level: 1, name: 'Bakery' }).waitFor()
    await row('Ada').getByText('Owner', { exact: true }).waitFor()
    await page.goto(`${service.baseUrl}/organisations/${organizationId}`)
  })

  it('are listed with name, address, role and status', async () => {
    await row('Ben').getByText('ben@people.io').waitFor()
    for (const [name, words] of [
      ['Ada', ['Active', 'Owner', 'You']],
      ['Ben', ['Active', 'Member']],
      ['Cleo', ['Active', 'Admin']],
      ['dora@people.io', ['Invited', 'Viewer']],
    ] as const) {
      for (const word of words) await row(name).getByText(word, { exact: true }).waitFor()
    }
    await checkPage('members')
  })

  it('always include an owner', async () => {
    await row('Ada').getByText('You are the only active owner').waitFor()
    expect(await row('Ada').getByRole('button').count()).to.equal(0)
  })

  it('can be given another role', async () => {
    await button('Change role of Ben').click()
    const change = page.getByRole('dialog').getByRole('button', { name: 'Change role' })
    expect(await change.isDisabled()).to.equal(true)
    await page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await checkPage('change of a role')
    await change.click()
    await status('Ben has a new role.')
    await row('Ben').getByText('Viewer', { exact: true }).waitFor()
    expect(await stored(ben)).to.include({ role: 'viewer' })
  })

  it('can be suspended and reinstated', async () => {
    await button('Suspend Ben').click()
    await page.getByText('no longer act for Acme').waitFor()
    await checkPage('suspension')
    await confirm('Suspend')
    await status('Ben is suspended.')
    expect(await stored(ben)).to.include({ status: 'suspended' })
    await button('Reinstate Ben').click()
    await confirm('Reinstate')
    await status('Ben is active again.')
    expect(await stored(ben)).to.include({ status: 'active' })
  })

  it('are removed after confirmation, and the list then has the focus', async () => {
    await button('Remove Ben').click()
    await confirm('Cancel')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await stored(ben)).to.not.equal(undefined)
    await button('Remove Ben').click()
    await confirm('Remove')
    await status('Ben has been removed.')
    await row('Ben').waitFor({ state: 'detached' })
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).to.equal('List of members')
    expect(await stored(ben)).to.equal(undefined)
  })

  it('include no invitee whose invitation was withdrawn', async () => {
    await button('Withdraw the invitation of dora@people.io').click()
    await confirm('Withdraw')
    await row('dora@people.io').waitFor({ state: 'detached' })
    expect(await service.rows('SELECT id FROM invitations')).to.deep.equal([])
  })

  it('include an invitee immediately', async () => {
    await button('Invite member').click()
    await page.getByLabel('E-mail').fill('emil@people.io')
    await confirm('Invite')
    await confirm('Done')
    await row('emil@people.io').waitFor()
  })

  it('are loaded page by page, and a refusal by the service is shown', async () => {
    for (let nth = 0; nth < PART; nth += 1) {
      await service.rows(
        `INSERT INTO invitations (id, organization_id, email, role, token_hash, created_at, expires_at)
         VALUES (?, ?, ?, 'member', ?, ?, ?)`,
        ...[`early-${nth}`, organizationId, `early${nth}@people.io`, `${nth}`.padStart(64, '0')],
        ...[nth + 1, Date.now() + 60_000],
      )
    }
    await page.reload()
    await waitUntil(async () => ((await page.getByRole('article').count()) === PART ? true : null))
    // The rest of the list might contain another owner.
    await button('Leave the organisation').click()
    await confirm('Leave')
    await page.getByText('An organisation needs at least one active owner.').waitFor()
    await confirm('Cancel')
    await button('Load more').click()
    await row('early0@people.io').waitFor()
    await row('Ada').getByText('You are the only active owner').waitFor()
  })

  it('offer admins only what they may do, and to leave', async () => {
    await page.context().close()
    page = await open(cleo)
    expect(await row('Ada').getByRole('button').count()).to.equal(0)
    await button('Change role of emil@people.io').click()
    const offered = await page.getByLabel('Role', { exact: true }).locator('option').allTextContents()
    expect(offered.map((label) => label.split(':')[0])).to.deep.equal(['Member', 'Viewer'])
    await confirm('Cancel')
    await button('Leave the organisation').click()
    await confirm('Leave')
    await page.getByText('No organisation yet').waitFor()
    expect(await stored(cleo)).to.equal(undefined)
  })

  it('are hidden from non-members', async () => {
    await page.goto(`${service.baseUrl}/organisations/${organizationId}`)
    await page.getByText('You are not a member').waitFor()
    await checkPage('somebody else’s organisation')
  })

  it('are shown to viewers without the invitees', async () => {
    const finn = await join('Finn', 'viewer')
    await page.context().close()
    page = await open(finn)
    expect(await page.getByRole('article').count()).to.equal(2)
    expect(await page.getByRole('article').getByRole('button').allTextContents()).to.deep.equal(['Leave'])
    expect(await button('Invite member').count()).to.equal(0)
  })

  it('pass axe without serious violations in light and dark mode, and fit the phone', () => {
    expect(problems).to.deep.equal([])
  })

  it('throw no errors and cause no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
