import { expect } from 'chai'
import type { Browser, Page, Response } from 'playwright-core'
import { api } from '../harness/service/api.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

describe('agents in a browser', () => {
  let browser: Browser
  let scene: DashboardScene
  let page: Page

  // State passed from one step to the next.
  let svcId = ''

  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
    page = scene.page
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  it('registers an agent with a wallet, without an account', async () => {
    await page.goto(`${scene.appUrl}/agents/register`)
    await scene.heading('Register an agent').waitFor()
    await scene.checkPage('wizard, identity')
    // The service refuses it, because nobody sees the character in the middle.
    await scene.label('Name').fill('Cou\u200brier')
    await scene.button('Next: technology').click()
    await scene.label('Model').fill('open-model-7b')
    await page.getByText('a2a', { exact: true }).click()
    await page.getByText('x402', { exact: true }).first().click()
    const x402 = page.getByRole('group', { name: 'x402', exact: true })
    await x402.getByLabel('Spending limit').fill('250')
    await scene.button('Next: boundary').click()
    await x402
      .getByLabel(/^Wallet address/)
      .and(page.locator(':focus'))
      .waitFor()
    await x402.getByLabel(/^Wallet address/).fill(scene.wallet.address)
    await scene.checkPage('wizard, technology')
    await scene.button('Next: boundary').click()
    await page.getByText('Filled in from your protocol declarations').waitFor()
    await page.getByText('USDC', { exact: true }).waitFor()
    await scene.checkPage('wizard, filled boundary')
    await scene.label('Autonomous threshold').fill('50')
    await scene.label('Approval threshold').fill('500')
    await scene.label('Currency').fill('usd')
    await page
      .getByText(
        'below $50.00: allowed; $50.00 to below $500.00: requires the owner’s approval; $500.00 or more: denied',
      )
      .waitFor()
    await scene.label('Categories').fill('shopping')
    await page.keyboard.press('Enter')
    await scene.checkPage('wizard, boundary')
  })

  it('reports errors next to the field, also those of the service in an earlier step, and tests the boundary on a sample request', async () => {
    await scene.label('Approval threshold').fill('5')
    await page.getByText('Must not be below ‘Autonomous threshold’ (50)').waitFor()
    await scene.button('Next: sign').click()
    await scene.label('Approval threshold').and(page.locator(':focus')).waitFor()
    await scene.label('Approval threshold').fill('500')
    await scene.label('Purpose').fill('gambling:bet')
    await scene.label('Transaction value').fill('600')
    await scene.button('Test the request').click()
    const outcome = page.locator('[data-outcome=deny]')
    expect(await outcome.locator('code').allTextContents()).to.deep.equal(['pdlss.purpose', 'pdlss.limits'])
    await page.getByRole('tab', { name: 'JSON' }).click()
    expect(JSON.parse(await scene.label('PDLSS as JSON').inputValue())).to.deep.equal({
      purpose: { categories: ['shopping'] },
      limits: { autonomousThreshold: 50, approvalThreshold: 500, currency: 'USD' },
    })
    await scene.checkPage('wizard, JSON')
    await scene.button('Next: sign').click()
    await scene.checkPage('wizard, sign')
    await scene.button('Sign and register with Test wallet').click()
    const name = page.locator('input[aria-invalid=true]:focus')
    await name.waitFor()
    expect(await name.inputValue()).to.equal('Cou\u200brier')
    await page.getByText(/^Name .*U\+200B/).waitFor()
    expect(await page.getByRole('alert').count()).to.equal(0)
    await name.fill('Courier')
    for (const next of ['technology', 'boundary', 'sign']) await scene.button(`Next: ${next}`).click()
    await scene.button('Sign and register with Test wallet').click()
    await page.getByText('Courier is registered').waitFor()
    const link = await page.getByRole('link', { name: 'Go to the agent' }).getAttribute('href')
    svcId = (link ?? '').replace('/agents/', '')
    const { body } = await api(scene.service.baseUrl, 'GET', `/api/agents/${svcId}`)
    expect(body.agent).to.include({ name: 'Courier', agentStatus: 'active' })
    expect(body.agent.protocols).to.deep.equal(['a2a', 'x402'])
  })

  it('shows the agent to its owner, who signs in with the same wallet', async () => {
    await scene.signIn('/agents')
    await page.getByRole('link', { name: /Courier/ }).click()
    await scene.heading('Courier').waitFor()
    await scene.openTab('Boundary')
    await scene.section('Boundary').getByText('It cannot be changed').waitFor()
    await page
      .getByText(
        'May spend less than $50.00 on its own, asks its owner below $500.00, and never spends more.',
      )
      .waitFor()
  })

  it('does not change the approval rules without a passkey', async () => {
    await scene.openTab('Approval rules')
    await scene.section('Approval rules').getByRole('button', { name: 'Add rule' }).click()
    await scene.button('Save rules').click()
    await page.getByText('This action requires a passkey, and your account has none yet.').waitFor()
  })

  it('changes the approval rules with the passkey', async () => {
    await scene.addPasskey()
    await scene.go(`/agents/${svcId}?tab=rules`, 'Courier')
    await scene.section('Approval rules').getByRole('button', { name: 'Add rule' }).click()
    await scene.label('Only for categories').fill('shopping')
    await page.keyboard.press('Enter')
    const awaitRules = async () => {
      const saved = (one: Response) => one.request().method() === 'PUT' && one.status() === 200
      return (await (await page.waitForResponse(saved)).json()).rules
    }
    const added = { dimension: 'purpose', match: { categories: ['shopping'] } }
    const saved = awaitRules()
    await scene.button('Save rules').click()
    expect(await saved).to.deep.include(added)
    const undone = awaitRules()
    await scene.button('Undo').click()
    expect(await undone).to.not.deep.include(added)
    await page.getByRole('status').getByText('Undone', { exact: true }).waitFor()
  })

  it('adds, changes and removes other names, and says at the field what is wrong with one', async () => {
    const names = scene.section('Other names')
    const says = (notice: string) => page.getByRole('status').getByText(notice, { exact: true }).waitFor()
    const declared = async () => {
      // Loaded again, so that no notice of an earlier change is left.
      await page.goto(`${scene.appUrl}/agents/${svcId}`)
      return scene.section('Declarations').innerText()
    }
    const did = 'did:web:agent.shop-host.io'

    expect(await declared()).to.not.contain('Other names')
    await page.getByRole('link', { name: 'Add, change or remove other names' }).click()
    await scene.label('ENS name').fill('Büyer.eth')
    await page.keyboard.press('Enter')
    const faulty = names.locator('input[name=ens][aria-invalid=true]:focus')
    await faulty.waitFor()
    const fault = await names
      .getByText('ENS name: expected the normal form of this name: büyer.eth')
      .elementHandle()
    expect(await faulty.getAttribute('aria-describedby')).to.contain(await fault?.getAttribute('id'))
    expect(await page.getByRole('alert').count()).to.equal(0)
    await scene.checkPage('a name with a fault')

    await scene.label('ENS name').fill('büyer.eth')
    await scene.label('DID').fill(did)
    await names.getByRole('button', { name: 'Save names' }).click()
    await says('Saved')
    expect(await declared())
      .to.contain('büyer.eth')
      .and.contain(did)

    await scene.openTab('Settings')
    const sent = page.waitForRequest((one) => one.method() === 'PATCH')
    await scene.label('ENS name').fill('')
    await page.keyboard.press('Enter')
    expect((await sent).postDataJSON()).to.deep.equal({ names: { ens: null } })
    await says('Saved')
    await scene.button('Undo').click()
    await says('Undone')
    expect(await scene.label('ENS name').inputValue()).to.equal('büyer.eth')

    await scene.label('ENS name').fill('')
    await scene.label('DID').fill('')
    await names.getByRole('button', { name: 'Save names' }).click()
    await says('Saved')
    expect(await declared()).to.not.contain('Other names')
  })

  it('takes a new name back', async () => {
    await scene.openTab('Settings')
    await scene.label('Name').fill('Courier I')
    await scene.section('Name and description').getByRole('button', { name: 'Save' }).click()
    await scene.heading('Courier I').waitFor()
    await scene.button('Undo').click()
    await scene.heading('Courier').waitFor()
    expect(await scene.label('Name').inputValue()).to.equal('Courier')
  })

  it('changes the name, shows the card, and suspends, resumes and retires the agent', async () => {
    await scene.openTab('Settings')
    const saved = page.waitForRequest((one) => one.method() === 'PATCH')
    await scene.label('Name').fill('Courier II')
    await scene.section('Name and description').getByRole('button', { name: 'Save' }).click()
    await scene.page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    await scene.heading('Courier II').waitFor()
    // Only the edited field is sent, because the others may have been changed elsewhere.
    expect((await saved).postDataJSON()).to.deep.equal({ name: 'Courier II' })
    await scene.button('Show card').click()
    await page.locator('pre', { hasText: 'supportedInterfaces' }).waitFor()
    await scene.checkPage('agent')
    await scene.button('Suspend').click()
    await scene.button('Suspend agent').click()
    await scene.button('Resume').click()
    await scene.button('Resume agent').click()
    await scene.button('Retire').click()
    await page.getByText('This cannot be undone').waitFor()
    await scene.button('Retire permanently').click()
    await scene.section('Suspend or retire').waitFor({ state: 'detached' })
    await scene.openTab('Overview')
    await scene.section('Identity').getByText('Retired').waitFor()
  })

  it('passes axe without serious violations in light and dark mode, and fits the phone', () => {
    expect(scene.problems).to.deep.equal([])
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(scene.pageErrors).to.deep.equal([])
  })
})
