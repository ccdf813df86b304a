import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { registerAgent } from '../builders/participants.ts'
import { api } from '../harness/service/api.ts'
import { openReceiver } from '../server/services/webhooks/openWebhooks.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

const DISCOVERED_URL = 'https://shop.acme.io/checkout'
const FRIEND = 'SVCD-0123456789abcdefghijAB'

describe('endpoints in a browser', () => {
  let browser: Browser
  let scene: DashboardScene
  let page: Page
  let agentId: string

  // State passed from one step to the next.
  let apiKey = ''
  let svceId = ''

  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
    page = scene.page
    agentId = (await registerAgent(scene.service.baseUrl)).svcId
    await scene.signIn('/agents')
    await scene.heading('Agents').waitFor()
    await scene.addPasskey()
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const stored = async () =>
    (await api(scene.service.baseUrl, 'GET', `/api/endpoints/${svceId}`, { bearer: apiKey })).body.endpoint

  it('claims a discovered endpoint for an organisation, and shows its secret once', async () => {
    await scene.go('/endpoints', 'Endpoints')
    await scene.checkPage('no endpoints')
    await scene.go('/endpoints/register', 'Register an endpoint')
    await page.getByText('You need an organisation first').waitFor()
    await scene.go('/organisations', 'Organisations')
    await scene.button('Create organisation').click()
    await page.locator('input[name=name]').fill('Acme Orders')
    await scene.button('Create').click()
    await page.getByText('Acme Orders').waitFor()
    await scene.go('/api-keys', 'API keys')
    await scene.button('Create API key').click()
    await page.locator('input[name=name]').fill('gateway')
    await page.locator('select[name=context]').selectOption({ label: 'Acme Orders' })
    await scene.button('Create').click()
    apiKey = (await page.getByText(/^svc_live_[0-9A-Za-z]{32}$/).textContent()) ?? ''
    await scene.button('I have saved it').click()
    await api(scene.service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: apiKey,
      body: { counterpartyUrl: DISCOVERED_URL, agentId },
    })
    await scene.go('/endpoints', 'Endpoints')
    await page.getByText('Unclaimed', { exact: true }).click()
    await page.getByRole('link', { name: new RegExp(DISCOVERED_URL) }).click()
    await scene.section('Claim this endpoint').waitFor()
    await scene.checkPage('to claim')
    await page.locator('input[name=name]').fill('Checkout')
    await scene.button('Claim endpoint').click()
    await page.getByText(/^whsec_[0-9A-Za-z+/=]{40,}$/).waitFor()
    await scene.heading('Checkout').waitFor()
    svceId = (await page.getByText(/^SVCE-\w{22}$/).textContent()) ?? ''
    expect(await stored()).to.include({ name: 'Checkout', verificationTier: 'self_asserted' })
  })

  it('changes the boundary of an endpoint only with the passkey', async () => {
    await scene.go(`/endpoints/${svceId}?tab=policy`, 'Checkout')
    await scene.button('Change boundary').click()
    await scene.label('Cumulative spend limit').fill('1000')
    await scene.label('Denied resources').fill('/admin/**')
    await page.keyboard.press('Enter')
    await page.route('**/authentication/options', (route) =>
      route.fulfill({ status: 409, json: { success: false, code: 'INVALID_STATE', message: 'none' } }),
    )
    await scene.button('Save boundary').click()
    await page.getByText('PASSKEY_NEEDED').waitFor()
    expect((await stored()).pdlss).to.deep.equal({})
    await page.unrouteAll()
    await scene.button('Save boundary').click()
    await scene.button('Change boundary').waitFor()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    expect((await stored()).pdlss).to.deep.equal({
      limits: { maxCumulativeSpend: 1000 },
      scope: { deniedResources: ['/admin/**'] },
    })
  })

  it('undoes what the passkey has confirmed only with the passkey', async () => {
    const ceremony = page.waitForRequest('**/authentication/verify')
    await scene.button('Undo').click()
    await ceremony
    await page.getByRole('status').getByText('Undone', { exact: true }).waitFor()
    expect((await stored()).pdlss).to.deep.equal({})
  })

  it('saves routes and an allowlist', async () => {
    await scene.button('Add route').click()
    await scene.label('Pattern of route 1').fill('/orders/**')
    await scene.label('Minimum access level of route 1').selectOption('full')
    await scene.label('Minimum identity proof of route 1').selectOption('signature')
    await scene.button('Save routes').click()
    await scene.button('Save routes').waitFor({ state: 'detached' })
    expect((await stored()).routes).to.deep.equal([
      { pattern: '/orders/**', method: '*', minAccessLevel: 'full', minIdentityProof: 'signature' },
    ])
    await scene.openTab('Allowlist')
    await scene.label('Owner').fill('SVCD-short')
    await scene.button('Add to allowlist').click()
    await page.getByText('expected SVCD- or SVCO- and 22 characters').waitFor()
    await scene.label('Owner').fill(FRIEND)
    await scene.button('Add to allowlist').click()
    await scene.button(`Remove ${FRIEND}`).waitFor()
    await scene.checkPage('endpoint')
    await scene.button(`Remove ${FRIEND}`).click()
    await page.getByText('No entries: agents of any owner are admitted.').waitFor()
  })

  it('undoes what it has saved, unless a colleague has changed it since', async () => {
    const save = scene.section('Unidentified callers').getByRole('button', { name: 'Save policy' })
    const choose = (policy: RegExp) => scene.section('Unidentified callers').getByText(policy).click()
    const says = (notice: string) => page.getByRole('status').getByText(notice, { exact: true }).waitFor()
    await scene.openTab('Policy')
    expect(await stored()).to.include({ unverifiedAgentPolicy: 'deny' })
    await choose(/only to browse and read/)
    const saved = page.waitForResponse((one) => one.request().method() === 'PUT' && one.status() === 200)
    await save.click()
    await saved
    await says('Saved')
    expect(await stored()).to.include({ unverifiedAgentPolicy: 'allow_partial' })
    await scene.checkPage('saved, with Undo')
    await scene.button('Undo').click()
    await says('Undone')
    expect(await stored()).to.include({ unverifiedAgentPolicy: 'deny' })
    await scene.section('Unidentified callers').getByRole('radio', { name: /^Deny/, checked: true }).waitFor()
    expect(await scene.button('Undo').count()).to.equal(0)

    await choose(/only to browse and read/)
    await save.click()
    await scene.button('Undo').waitFor()
    const body = { unverifiedAgentPolicy: 'allow_full' }
    await api(scene.service.baseUrl, 'PUT', `/api/endpoints/${svceId}`, { bearer: apiKey, body })
    await scene.button('Undo').click()
    await says('Not undone: it has been changed again since.')
    expect(await stored()).to.include(body)
  })

  it('never undoes the change of a colleague, however close it comes to saving or undoing', async () => {
    const section = scene.section('Unidentified callers')
    const says = (notice: string) => page.getByRole('status').getByText(notice, { exact: true }).waitFor()
    const path = `/api/endpoints/${svceId}`
    /** What a colleague sets just before the next change of the browser arrives; null for nothing. */
    let colleague: string | null = null
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'PUT' && colleague !== null) {
        const body = { unverifiedAgentPolicy: colleague }
        colleague = null
        await api(scene.service.baseUrl, 'PUT', path, { bearer: apiKey, body })
      }
      await route.continue()
    })
    const deny = async () => {
      await scene.go('/endpoints', 'Endpoints')
      await scene.go(`/endpoints/${svceId}?tab=policy`, 'Checkout')
      await section.getByText(/^Deny/).click()
      await section.getByRole('button', { name: 'Save policy' }).click()
      await scene.button('Undo').waitFor()
      expect(await stored()).to.include({ unverifiedAgentPolicy: 'deny' })
    }
    colleague = 'allow_partial'
    await deny()
    await scene.button('Undo').click()
    await says('Undone')
    expect(await stored()).to.include({ unverifiedAgentPolicy: 'allow_partial' })

    await deny()
    colleague = 'allow_full'
    await scene.button('Undo').click()
    await says('Not undone: it has been changed again since.')
    expect(await stored()).to.include({ unverifiedAgentPolicy: 'allow_full' })
    await page.unrouteAll()
  })

  it('does not overwrite what a colleague has changed since the page was loaded', async () => {
    const admin = { pattern: '/admin/**', method: '*', minAccessLevel: 'internal' }
    await scene.openTab('Policy')
    await scene.button('Add route').click()
    const colleague = (body: object) =>
      api(scene.service.baseUrl, 'PUT', `/api/endpoints/${svceId}`, { bearer: apiKey, body })
    await colleague({ trustScoreRequirement: 55, routes: [admin] })
    await scene.openTab('Settings')
    await scene.label('Name').fill('Checkout II')
    await scene.section('Name and trust score').getByRole('button', { name: 'Save' }).click()
    await scene.heading('Checkout II').waitFor()
    expect(await stored()).to.include({ name: 'Checkout II', trustScoreRequirement: 55 })
    await scene.openTab('Policy')
    await scene.section('Routes').getByText('any method /admin/** requires internal').waitFor()
    await colleague({ routes: [] })
    await scene.button('Save routes').click()
    await scene.section('Routes').getByText('They are now: none').waitFor()
    expect((await stored()).routes).to.deep.equal([])
    await scene.checkPage('routes of two')
    await scene.button('Save routes').click()
    await scene.section('Routes').getByRole('alert').waitFor({ state: 'detached' })
    expect((await stored()).routes.map(({ pattern }: { pattern: string }) => pattern)).to.deep.equal([
      '/orders/**',
      '/**',
    ])
    await scene.button('Change boundary').click()
    await scene.label('Cumulative spend limit').fill('5000')
    const before = (await stored()).pdlss
    // Written to the database directly: a change by a colleague would require their passkey.
    await page.route(`**/api/endpoints/${svceId}`, async (route) => {
      const { endpoint } = await (await route.fetch()).json()
      const pdlss = { limits: { maxCumulativeSpend: 10 } }
      await route.fulfill({ json: { success: true, endpoint: { ...endpoint, pdlss } } })
    })
    await scene.button('Save boundary').click()
    await page.getByText('Someone has changed the boundary in the meantime').waitFor()
    await scene.checkPage('boundary of two')
    expect((await stored()).pdlss).to.deep.equal(before)
    await page.unrouteAll()
    await scene.button('Discard changes').click()
    await scene.openTab('Settings')
    await scene.label('Name').fill('Checkout')
    await scene.section('Name and trust score').getByRole('button', { name: 'Save' }).click()
    await scene.heading('Checkout').waitFor()
  })

  it('shows what to publish to verify the domain, and what is missing', async () => {
    await scene.button('Show what to publish').click()
    await page.getByText('Not verified yet').waitFor()
    await page.getByText(/_svc-challenge\.shop\.acme\.io/).waitFor()
    await scene.checkPage('domain')
  })

  it('sets a webhook, tests it, resends an event, and shows a rotated secret once', async () => {
    const receiver = await openReceiver()
    try {
      await scene.openTab('Webhooks')
      await scene.section('Webhook').getByLabel('URL').fill(`${receiver.url}/hook`)
      await scene.button('Save URL').click()
      await scene.button('Send test event').click()
      await page.getByText('Test event delivered').waitFor()
      await scene.section('Webhook').getByText('Delivered', { exact: true }).waitFor()
      await scene.button('Resend: Test event').first().click()
      await scene.section('Webhook').getByText('(resent)').waitFor()
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
      await scene.checkPage('webhook')
      await scene.button('Rotate secret').click()
      await scene.checkPage('rotation')
      await scene.button('Rotate').click()
      await page.getByText('Save the webhook secret now').waitFor()
      const last = String(await scene.section('Webhook').locator('text=/^whsec_[^*]/').textContent()).slice(
        -4,
      )
      expect((await stored()).webhookSecret).to.equal(`whsec_****${last}`)
      await scene.section('Webhook').getByText('the previous one is valid').waitFor()
      receiver.mood.status = 410
      await scene.button('Send test event').click()
      await page.getByText('The webhook is disabled').waitFor()
      await scene.button('Remove webhook').click()
      await scene.button('Remove webhook').waitFor({ state: 'detached' })
    } finally {
      await receiver.stop()
    }
  })

  it('deactivates and archives after stating the consequences', async () => {
    await scene.openTab('Settings')
    await scene.button('Deactivate').click()
    await page.getByText('It cannot be reactivated').waitFor()
    await scene.checkPage('deactivation')
    await scene.button('Deactivate permanently').click()
    await scene.button('Archive').click()
    await page.getByText('Its URL is released').waitFor()
    await scene.button('Archive permanently').click()
    await scene.openTab('Overview')
    await scene.section('About').getByText('Archived').waitFor()
    await scene.go('/endpoints', 'Endpoints')
    await page.getByText('No endpoints yet').waitFor()
    await page.getByText('Archived', { exact: true }).click()
    await page.getByRole('link', { name: /Checkout/ }).waitFor()
    await scene.checkPage('archived')
  })

  it('registers an endpoint with a newly created key, and shows both secrets once', async () => {
    await scene.go('/endpoints/register', 'Register an endpoint')
    await page.locator('input[name=endpointName]').fill('Orders API')
    await page.locator('input[name=counterpartyUrl]').fill('https://orders.acme.io/v1')
    await scene.label('Set a boundary now').check()
    await scene.checkPage('register endpoint')
    await scene.button('Register endpoint').click()
    const key = await page.getByText(/^svc_live_[0-9A-Za-z]{32}$/).textContent()
    await page.getByText(/^whsec_[0-9A-Za-z+/=]{40,}$/).waitFor()
    await scene.checkPage('registered endpoint')
    await page.getByRole('link', { name: 'Go to Orders API' }).click()
    await scene.heading('Orders API').waitFor()
    const path = page.url().replace(/^.*\/endpoints/, '/api/endpoints')
    const { body } = await api(scene.service.baseUrl, 'GET', path, { bearer: key ?? '' })
    expect(body.endpoint.name).to.equal('Orders API')
  })

  it('passes axe without serious violations in light and dark mode, and fits the phone', () => {
    expect(scene.problems).to.deep.equal([])
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(scene.pageErrors).to.deep.equal([])
  })
})
