import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { registerAgent } from '../builders/participants.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import {
  MINUTE_MS,
  type OwnerScene,
  openOwnerScene,
  PDLSS,
} from '../server/services/approvals/openOwnerScene.ts'
import { addVirtualAuthenticator, signInWithPasskey } from './support/addVirtualAuthenticator.ts'
import { awaitMailedLink } from './support/awaitMailedLink.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findViolations } from './support/findPageProblems.ts'
import { injectWallet } from './support/injectWallet.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const EMAIL = 'ada@people.io'
const PASSWORD = 'correct horse battery'
const NOBODYS = '0190b1f0-0000-7000-8000-000000000000'

describe('an owner in a browser on a phone', () => {
  let scene: OwnerScene
  let browser: Browser
  /** The owner's tab, and the tab opened from a mailed link. */
  let page: Page
  let mailed: Page
  let keys: Awaited<ReturnType<typeof addVirtualAuthenticator>>
  let otherKeys: typeof keys
  const wallet = privateKeyToAccount(generatePrivateKey())
  const pageErrors: string[] = []

  // State passed from one step to the next.
  let svcId = ''
  let held: { request: object; approvalId: string }

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    scene = await openOwnerScene()
    svcId = (await registerAgent(scene.baseUrl, { name: 'Buyer', pdlss: PDLSS }, { account: wallet })).svcId
    page = await openPage(browser, pageErrors)
    await injectWallet(page, wallet)
    keys = await addVirtualAuthenticator(page)
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const heading = (name: string | RegExp, on = page) =>
    on.getByRole('heading', { level: 1, name, exact: typeof name === 'string' })
  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true })

  async function go(path: string, title: string | RegExp): Promise<void> {
    await showPath(page, path)
    await heading(title).waitFor()
  }

  /** Signs out, and ignores the passkey that the browser then offers. */
  async function signOut(): Promise<void> {
    await go('/account', 'Account')
    await keys.setPresent(false)
    await button('Sign out').click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
  }

  /** Makes a request that needs the owner's approval. */
  const ask = (fields: object = {}): Promise<typeof held> => scene.asked(svcId, fields)

  /** Waits for the mail about an approval and returns its link. */
  const linkTo = (approvalId: string) => awaitMailedLink(scene.dataDir, `/activity/pending/${approvalId}`)

  it('registers and adds a first passkey to the account', async () => {
    await page.goto(scene.appUrl)
    await button('Create an account').click()
    await page.locator('input[name=fullName]').fill('Ada Example')
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill(PASSWORD)
    await button('Create account').click()
    await heading('Overview').waitFor()
    await go('/account', 'Account')
    await page.locator('input[name=passkeyName]').fill('My phone')
    await button('Add passkey').click()
    await button('Remove My phone').waitFor()
  })

  it('links the agent’s wallet with the passkey, which adds the agent to the account', async () => {
    await button('Link Test wallet').click()
    await page.getByText('Its agent now belongs to this account.').waitFor()
    await go('/agents', 'Agents')
    await page.getByRole('link', { name: /Buyer/ }).waitFor()
  })

  it('opens the mailed link to an approval in a new tab without signing in again', async () => {
    await go('/activity', 'Activity')
    await page.getByText('Live', { exact: true }).waitFor()
    held = await ask()
    mailed = await page.context().newPage()
    otherKeys = await addVirtualAuthenticator(mailed)
    await otherKeys.replaceCredentials(await keys.credentials())
    await mailed.goto(await linkTo(held.approvalId))
    await heading('Buyer requests your approval', mailed).waitFor()
    const counterparty = mailed.getByRole('region', { name: 'Counterparty', exact: true })
    for (const words of ['Shop', 'Registered, but the host is not proven', 'Nothing in 30 days']) {
      await counterparty.getByText(words, { exact: true }).first().waitFor()
    }
    await counterparty.getByText(/^[\w-]+\.acme\.io$/).waitFor()
    for (const words of [
      '$150.00',
      '/orders/1',
      'Not proven: only named',
      'The amount is more than the agent may spend without approval.',
    ]) {
      await mailed.getByText(words, { exact: true }).waitFor()
    }
    await mailed.getByText(/^(30:00|29:\d\d)$/).waitFor()
  })

  it('sees live events on the activity page, and none while paused', async () => {
    // The registration file may have been published since the list was loaded.
    await page.getByRole('button', { name: /^\d new$/ }).click()
    await page.getByRole('link', { name: /Buyer → .*\$150\.00.*Held/ }).waitFor()
    await button('Pause').click()
    await page.getByText('Paused', { exact: true }).waitFor()
    await scene.verify(scene.asking(svcId, { transactionValue: 21 }))
    await scene.verify(scene.asking(svcId, { transactionValue: 22 }))
    expect(await page.getByText(/new$/).count()).to.equal(0)
    await button('Resume').click()
    await page.getByRole('button', { name: /^\d new$/ }).click()
    await page.getByRole('link', { name: /\$21\.00.*Granted/ }).waitFor()
    expect(await page.getByRole('link', { name: /\$22\.00/ }).count()).to.equal(1)
  })

  it('approves with the passkey, and the repeated request is granted once', async () => {
    await button('Approve with a passkey', mailed).click()
    await mailed.getByText('You approved this request').waitFor()
    await mailed.getByText(/minutes or less/).waitFor()
    expect((await scene.verify(held.request)).body.recommendation).to.equal('grant')
    await page.getByRole('link', { name: /\$150\.00.*Granted/ }).waitFor()
    await page.getByRole('button', { name: /^Timeline of Buyer → .*\$150\.00/ }).click()
    await page.getByRole('link', { name: 'Approval used' }).waitFor()
    await mailed.getByText('Approved, and used').waitFor()
    // What is used can no longer expire.
    expect(await mailed.getByText(/minutes or less/).count()).to.equal(0)
    await keys.replaceCredentials(await otherKeys.credentials())
    await mailed.close()
  })

  it('can cancel the passkey without approving, and try again', async () => {
    held = await ask({ resource: '/orders/2' })
    await go(`/activity/pending/${held.approvalId}`, 'Buyer requests your approval')
    const spent = page.getByRole('region', { name: 'Counterparty', exact: true })
    const unproven = '$193.00 in 3 purchases in 30 days, by requests that only named the agent'
    for (const text of ['Nothing in 30 days', unproven])
      expect(await spent.getByText(text, { exact: true }).count(), text).to.equal(2)
    await keys.setVerified(false)
    await button('Approve with a passkey').click()
    await page.getByText('The request was not approved.').waitFor()
    await keys.setVerified(true)
    await button('Approve with a passkey').click()
    await page.getByText('You approved this request').waitFor()
  })

  it('revokes an approval and denies a pending one, each after confirmation', async () => {
    await button('Revoke approval').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke approval' }).click()
    await page.getByText('The request will not be granted.').waitFor()
    expect((await scene.verify(held.request)).body.recommendation).to.equal('deny')
    const { approvalId } = await ask({ resource: '/orders/3' })
    await go(`/activity/pending/${approvalId}`, 'Buyer requests your approval')
    await button('Deny').click()
    await button('Back').click()
    await button('Deny').click()
    await button('Deny request').click()
    await heading('Request from Buyer').waitFor()
    await page.getByText('The request will not be granted.').waitFor()
  })

  it('sees pending approvals in the menu, the lists and the overview', async () => {
    held = await ask({ resource: '/orders/4' })
    await go('/', 'Overview')
    await page.getByText('A request needs your approval').waitFor()
    await page.getByRole('img', { name: /decisions, by hour/ }).waitFor()
    await button('Open the menu').click()
    await page.getByRole('link', { name: 'Approvals 1 pending' }).click()
    await heading('Approvals').waitFor()
    await page.getByRole('link', { name: /Buyer → .*\/orders\/4/ }).waitFor()
  })

  it('finds them at the address of an approval without its identifier', async () => {
    await page.goto(`${scene.appUrl}/activity/pending`)
    await heading('Approvals').waitFor()
    expect(new URL(page.url()).pathname).to.equal('/approvals')
  })

  it('marks an alert as read, and follows its link', async () => {
    await go('/alerts', 'Alerts')
    const alerts = page.getByRole('article')
    await alerts.first().waitFor()
    const unread = await alerts.count()
    await alerts.last().getByRole('button', { name: 'Mark as read' }).click()
    await waitUntil(async () => ((await alerts.count()) === unread - 1 ? true : null))
    await page.getByRole('link', { name: `Alerts, ${unread - 1} unread` }).waitFor()
    await alerts.first().getByRole('link', { name: 'View request' }).click()
    await heading('Buyer requests your approval').waitFor()
    await page.getByRole('link', { name: new RegExp(`^Alerts(, ${unread - 2} unread)?$`) }).waitFor()
  })

  it('sees when a request has expired', async () => {
    scene.time.now += 31 * MINUTE_MS
    await page.clock.setSystemTime(scene.time.now)
    await page.getByText('This request has expired').waitFor()
  })

  it('learns no more about someone else’s approval than about a missing one', async () => {
    await go(`/activity/pending/${NOBODYS}`, 'Approval request')
    await page.getByText(`an account other than ${EMAIL}`).waitFor()
  })

  it('signs in with the passkey and with the wallet', async () => {
    await signOut()
    await signInWithPasskey(page, keys, heading('Overview'))
    await signOut()
    await button('Sign in with Test wallet').click()
    await heading('Overview').waitFor()
    await keys.setPresent(true)
    await go('/account', 'Account')
    await page.getByText(EMAIL).waitFor()
  })

  it('is offered the passkey by the browser on the sign-in page', async () => {
    await go('/account', 'Account')
    await button('Sign out').click()
    await heading('Overview').waitFor()
  })

  it('removes the last passkey after a warning', async () => {
    await go('/account', 'Account')
    await button('Remove My phone').click()
    await page.getByText('This is your last passkey').waitFor()
    await button('Remove').click()
    await page.getByText('None yet. Without a passkey you can deny').waitFor()
  })

  it('can add a passkey on the approval page', async () => {
    const { approvalId } = await ask({ resource: '/orders/5' })
    await go(`/activity/pending/${approvalId}`, 'Buyer requests your approval')
    await page.getByText('Approving requires a passkey, and you have none yet').waitFor()
    await button('Add passkey').click()
    await button('Approve with a passkey').click()
    await page.getByText('You approved this request').waitFor()
  })

  it('passes axe without serious violations in light and dark mode, and fits the phone', async function () {
    this.timeout(240_000)
    const { approvalId } = await ask({ resource: '/orders/6' })
    const problems: string[] = []
    for (const [path, title] of [
      ['/', 'Overview'],
      ['/account', 'Account'],
      ['/activity', 'Activity'],
      ['/alerts?show=all', 'Alerts'],
      ['/approvals?show=all', 'Approvals'],
      [`/activity/pending/${approvalId}`, 'Buyer requests your approval'],
      [`/activity/pending/${held.approvalId}`, 'Request from Buyer'],
      [`/activity/pending/${NOBODYS}`, 'Approval request'],
    ] as const) {
      await go(path, title)
      await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
      problems.push(...(await findViolations(page)).map((violation) => `${path}: ${violation}`))
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
      if (scrollWidth > clientWidth) problems.push(`${path} is too wide by ${scrollWidth - clientWidth}`)
    }
    await go('/account', 'Account')
    await keys.replaceCredentials([])
    await button('Sign out').click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    problems.push(...(await findViolations(page)))
    await button('Create an account').click()
    problems.push(...(await findViolations(page)))
    expect(problems).to.deep.equal([])
  })

  it('hears nothing of wallets without one, and loads at most 300 KiB of script on the first view', async () => {
    const stranger = await openPage(browser, pageErrors)
    await stranger.goto(scene.appUrl)
    await stranger.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    expect(await stranger.getByText(/wallet/i).count()).to.equal(0)
    const loaded = await stranger.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.endsWith('.js'))
        .map(({ encodedBodySize, decodedBodySize }) => [encodedBodySize, decodedBodySize] as const),
    )
    expect(loaded.length).to.be.greaterThan(0)
    expect(loaded.reduce((sum, [encoded]) => sum + encoded, 0)).to.be.within(1, 300 * 1024)
    for (const [encoded, decoded] of loaded) expect(encoded).to.be.lessThan(decoded)
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
