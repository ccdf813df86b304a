import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type Owner, type OwnerScene, openOwnerScene } from '../server/services/approvals/openOwnerScene.ts'
import { addVirtualAuthenticator } from './support/addVirtualAuthenticator.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

/** The height of a phone, of which the thumb of the hand that holds it reaches the lower part. */
const PHONE = { width: 390, height: 844 }

describe('approving in advance in a browser on a phone', () => {
  let scene: OwnerScene
  let browser: Browser
  let page: Page
  let ada: Owner
  let svcId = ''
  const pageErrors: string[] = []
  const problems: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    scene = await openOwnerScene()
    ada = await scene.owner({ withPasskey: false })
    svcId = await ada.agent({ name: 'Buyer' })
    page = await openPage(browser, pageErrors, { viewport: PHONE })
    await addVirtualAuthenticator(page)
    await page.goto(scene.appUrl)
    await page.locator('input[name=email]').fill(ada.email)
    await page.locator('input[name=password]').fill('correct horse battery')
    await button('Sign in').click()
    await heading('Overview').waitFor()
    await go('/account', 'Account')
    await page.locator('input[name=passkeyName]').fill('My phone')
    await button('Add passkey').click()
    await button('Remove My phone').waitFor()
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = () => page.getByRole('dialog')
  async function go(path: string, title: string): Promise<void> {
    await showPath(page, path)
    await heading(title).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  }
  const recommendationOf = async (fields: object = {}): Promise<string> =>
    (await scene.verify(scene.asking(svcId, fields))).body.recommendation
  /** Opens a held request, and the form for approving further ones with it. */
  async function openForm(): Promise<void> {
    const { approvalId } = await scene.asked(svcId)
    await go(`/activity/pending/${approvalId}`, 'Buyer requests your approval')
    await button('Approve up to…').click()
    await dialog().getByLabel('Total amount (USD)').waitFor()
  }

  it('shows who asks, how it proved the agent, and what was spent there in how many purchases', async () => {
    for (const transactionValue of [10, 20]) await recommendationOf({ transactionValue })
    const { approvalId } = await scene.asked(svcId)
    await go(`/activity/pending/${approvalId}`, 'Buyer requests your approval')
    for (const words of [
      'Shop',
      'Registered, but the host is not proven',
      'Proven: agent token',
      '$30.00 in 2 purchases in 30 days',
    ])
      await page.getByText(words, { exact: true }).first().waitFor()
    problems.push(...(await findPageProblems(page, 'approval')))
  })

  it('has its buttons at the bottom of the screen, at least 44 px high and wide', async () => {
    for (const name of ['Approve with a passkey', 'Approve up to…', 'Deny']) {
      const box = await button(name).boundingBox()
      expect(box, name).to.not.equal(null)
      const { y = 0, height = 0, width = 0 } = box ?? {}
      expect(Math.min(height, width), name).to.be.at.least(44)
      expect(y, name).to.be.at.least(PHONE.height * 0.7)
      expect(y + height, name).to.be.at.most(PHONE.height)
    }
  })

  it('refuses less than the request at the field, and says what a choice means', async () => {
    await openForm()
    const approve = dialog().getByRole('button', { name: 'Approve with a passkey' })
    expect(await approve.isDisabled()).to.equal(true)
    await dialog().getByLabel('Total amount (USD)').fill('149')
    await dialog().getByText('At least $150.00, the amount of this request').waitFor()
    expect(await approve.isDisabled()).to.equal(true)
    await dialog().getByLabel('Total amount (USD)').fill('500')
    await dialog().getByLabel('For').selectOption('30 days')
    await dialog()
      .getByText(/^Buyer may spend up to \$500\.00 at Shop · .* without asking you\.$/)
      .waitFor()
    problems.push(...(await findPageProblems(page, 'approving in advance')))
  })

  it('grants further requests once approved with the passkey', async () => {
    await dialog().getByRole('button', { name: 'Approve with a passkey' }).click()
    await page.getByText('You approved this request').waitFor()
    await dialog().waitFor({ state: 'detached' })
    expect([await recommendationOf(), await recommendationOf()]).to.deep.equal(['grant', 'grant'])
    expect(await recommendationOf()).to.equal('step_up_required')
  })

  it('shows it as a rule of the agent, which can be removed', async () => {
    await go(`/agents/${svcId}?tab=rules`, 'Buyer')
    const rule = page.getByRole('group', { name: /^Approved in advance at Shop · / })
    await rule.getByText('$450.00 of $500.00 used', { exact: true }).waitFor()
    problems.push(...(await findPageProblems(page, 'rule')))
    await rule.getByRole('button', { name: /^Remove the approval at Shop/ }).click()
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click()
    await rule.waitFor({ state: 'detached' })
    expect(await recommendationOf({ transactionValue: 101 })).to.equal('step_up_required')
  })

  it('is not offered for a request that proves nothing', async () => {
    const { body } = await scene.verifyUnproven(scene.asking(await ada.agent({ name: 'Buyer' })))
    await go(`/activity/pending/${body.stepUpApproval.approvalId}`, 'Buyer requests your approval')
    await page.getByText('Not proven: only named', { exact: true }).waitFor()
    await button('Approve with a passkey').waitFor()
    expect(await button('Approve up to…').count()).to.equal(0)
  })

  it('leaves the focus at the heading of the page once its buttons are gone', async () => {
    // As from a mail: then nothing has had the focus before.
    await page.reload()
    await button('Approve with a passkey').waitFor()
    await button('Approve with a passkey').focus()
    await page.keyboard.press('Enter')
    await page.getByText('You approved this request').waitFor()
    await page.waitForFunction(() => document.activeElement?.matches('h1'))
  })

  it('passes axe, fits the phone, and violates no content security policy', () => {
    expect([problems, pageErrors]).to.deep.equal([[], []])
  })
})
