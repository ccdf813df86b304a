import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { api } from '../harness/api.ts'
import { type StartedService, startService } from '../harness/startService.ts'
import { openReceiver } from '../server/webhooks/openWebhooks.ts'
import { buildDashboard } from './buildDashboard.ts'
import { injectWallet } from './injectWallet.ts'
import { openBrowser, openPage } from './openBrowser.ts'
import { seriousViolations } from './seriousViolations.ts'
import { showPath } from './showPath.ts'
import { virtualAuthenticator } from './virtualAuthenticator.ts'

const DISCOVERED_URL = 'https://shop.acme.io/checkout'
const FRIEND = 'SVCD-0123456789abcdefghijAB'

describe('agents and endpoints in a browser', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  const wallet = privateKeyToAccount(generatePrivateKey())
  const complaints: string[] = []
  const wrong: string[] = []

  // What one step leaves to the next.
  let apiKey = ''
  let svceId = ''
  let svcId = ''

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    page = await openPage(browser, complaints)
    await injectWallet(page, wallet)
    await virtualAuthenticator(page)
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  /** A field by its label, after which a required one has a star. */
  const label = (name: string) =>
    page.getByLabel(new RegExp(`^${name}( \\*)?$`)).and(page.locator('input, textarea, select'))
  const section = (name: string) => page.getByRole('region', { name, exact: true })

  async function go(path: string, title: string): Promise<void> {
    await showPath(page, path)
    await heading(title).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  }

  /** Notes what axe finds serious here, and whether the page is wider than the phone. */
  async function look(name: string): Promise<void> {
    wrong.push(...(await seriousViolations(page)).map((violation) => `${name}: ${violation}`))
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement)
    if (scrollWidth > clientWidth) wrong.push(`${name} is too wide by ${scrollWidth - clientWidth}`)
  }

  const stored = async () =>
    (await api(service.baseUrl, 'GET', `/api/endpoints/${svceId}`, { bearer: apiKey })).body.endpoint

  it('registers an agent by a wallet, step by step, without an account', async () => {
    await page.goto(`${service.baseUrl.replace('127.0.0.1', 'localhost')}/agents/register`)
    await heading('Register an agent').waitFor()
    await look('wizard, identity')
    await label('Name').fill('Courier')
    await button('Next: technology').click()
    await label('Model').fill('open-model-7b')
    await page.getByText('a2a', { exact: true }).click()
    await page.getByText('x402', { exact: true }).first().click()
    const x402 = page.getByRole('group', { name: 'x402', exact: true })
    await x402.getByLabel('Spending limit').fill('250')
    expect(await button('Next: boundary').isDisabled()).to.equal(true)
    await x402.getByLabel(/^Wallet address/).fill(wallet.address)
    await look('wizard, technology')
    await button('Next: boundary').click()
    await page.getByText('Filled from your protocol declarations').waitFor()
    await page.getByText('USDC', { exact: true }).waitFor()
    await look('wizard, filled boundary')
    await label('Autonomous threshold').fill('50')
    await label('Approval threshold').fill('500')
    await label('Currency').fill('usd')
    await page
      .getByText('below $50.00: allowed; $50.00 to below $500.00: asks the owner; from $500.00: refused')
      .waitFor()
    await label('Categories').fill('shopping')
    await page.keyboard.press('Enter')
    await look('wizard, boundary')
  })

  it('says at the field what the service would refuse, and tries the boundary on a request', async () => {
    await label('Approval threshold').fill('5')
    await page.getByText(/expected at least autonomousThreshold/).waitFor()
    expect(await button('Next: sign').isDisabled()).to.equal(true)
    await label('Approval threshold').fill('500')
    await label('Purpose').fill('gambling:bet')
    await label('Value').fill('600')
    await button('Try the request').click()
    const outcome = page.locator('[data-outcome=deny]')
    expect(await outcome.locator('code').allTextContents()).to.deep.equal(['pdlss.purpose', 'pdlss.limits'])
    await page.getByRole('tab', { name: 'JSON' }).click()
    expect(JSON.parse(await label('PDLSS as JSON').inputValue())).to.deep.equal({
      purpose: { categories: ['shopping'] },
      limits: { autonomousThreshold: 50, approvalThreshold: 500, currency: 'USD' },
    })
    await look('wizard, JSON')
    await button('Next: sign').click()
    await look('wizard, sign')
    await button('Sign and register with Test wallet').click()
    await page.getByText('Courier is registered').waitFor()
    const link = await page.getByRole('link', { name: 'Go to the agent' }).getAttribute('href')
    svcId = (link ?? '').replace('/agents/', '')
    const { body } = await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)
    expect(body.agent).to.include({ name: 'Courier', agentStatus: 'active' })
    expect(body.agent.protocols).to.deep.equal(['a2a', 'x402'])
  })

  it('shows it to its owner, who signs in by the same wallet', async () => {
    await page.goto(`${service.baseUrl.replace('127.0.0.1', 'localhost')}/agents`)
    await button('Sign in with Test wallet').click()
    await page.getByRole('link', { name: /Courier/ }).click()
    await heading('Courier').waitFor()
    await section('Boundary').getByText('It never changes').waitFor()
  })

  it('refuses to change the approval rules without a passkey', async () => {
    await section('Approval rules').getByRole('button', { name: 'Add a rule' }).click()
    await button('Save the rules').click()
    await page.getByText('This needs a passkey, and your account has none yet.').waitFor()
  })

  it('changes the approval rules with the passkey', async () => {
    await go('/account', 'Account')
    await page.locator('input[name=passkeyName]').fill('My phone')
    await button('Add a passkey').click()
    await button('Remove My phone').waitFor()
    await go(`/agents/${svcId}`, 'Courier')
    await section('Approval rules').getByRole('button', { name: 'Add a rule' }).click()
    await label('Only for categories').fill('shopping')
    await page.keyboard.press('Enter')
    const saved = page.waitForResponse((one) => one.request().method() === 'PUT' && one.status() === 200)
    await button('Save the rules').click()
    expect((await (await saved).json()).rules).to.deep.include({
      dimension: 'purpose',
      match: { categories: ['shopping'] },
    })
  })

  it('changes the name, shows the card, and suspends, resumes and retires the agent', async () => {
    const saved = page.waitForRequest((one) => one.method() === 'PATCH')
    await label('Name').fill('Courier II')
    await section('Name and description').getByRole('button', { name: 'Save' }).click()
    await heading('Courier II').waitFor()
    // What was not changed here may have been changed elsewhere.
    expect((await saved).postDataJSON()).to.deep.equal({ name: 'Courier II' })
    await button('Show the card').click()
    await page.locator('pre', { hasText: 'supportedInterfaces' }).waitFor()
    await look('agent')
    await button('Suspend').click()
    await button('Suspend it').click()
    await button('Resume').click()
    await button('Resume it').click()
    await button('Retire').click()
    await page.getByText('there is no way back').waitFor()
    await button('Retire for good').click()
    await section('Identity').getByText('Retired').waitFor()
    expect(await button('Suspend').count()).to.equal(0)
  })

  it('claims a discovered endpoint for an organisation, and shows its secret once', async () => {
    await go('/endpoints', 'Endpoints')
    await look('no endpoints')
    await go('/endpoints/register', 'Register an endpoint')
    await page.getByText('An organisation comes first').waitFor()
    await go('/organisations', 'Organisations')
    await button('Create an organisation').click()
    await page.locator('input[name=name]').fill('Acme Orders')
    await button('Create').click()
    await page.getByText('Acme Orders').waitFor()
    await go('/api-keys', 'API keys')
    await button('Create an API key').click()
    await page.locator('input[name=name]').fill('gateway')
    await page.locator('select[name=context]').selectOption({ label: 'Acme Orders' })
    await button('Create').click()
    apiKey = (await page.getByText(/^svc_live_[0-9A-Za-z]{32}$/).textContent()) ?? ''
    await button('I have stored it').click()
    await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: apiKey,
      body: { counterpartyUrl: DISCOVERED_URL, agentId: svcId },
    })
    await go('/endpoints', 'Endpoints')
    await page.getByText('To claim', { exact: true }).click()
    await page.getByRole('link', { name: new RegExp(DISCOVERED_URL) }).click()
    await section('Claim this endpoint').waitFor()
    await look('to claim')
    await page.locator('input[name=name]').fill('Checkout')
    await button('Claim it').click()
    await page.getByText(/^whsec_[0-9A-Za-z+/=]{40,}$/).waitFor()
    await heading('Checkout').waitFor()
    svceId = (await page.getByText(/^SVCE-\w{22}$/).textContent()) ?? ''
    expect(await stored()).to.include({ name: 'Checkout', verificationTier: 'self_asserted' })
  })

  it('changes the policy of an endpoint only with the passkey', async () => {
    await go(`/endpoints/${svceId}`, 'Checkout')
    await button('Change the boundary').click()
    await label('Cumulative spend').fill('1000')
    await label('Denied resources').fill('/admin/**')
    await page.keyboard.press('Enter')
    await page.route('**/authentication/options', (route) =>
      route.fulfill({ status: 409, json: { success: false, code: 'INVALID_STATE', message: 'none' } }),
    )
    await button('Save the boundary').click()
    await page.getByText('PASSKEY_NEEDED').waitFor()
    expect((await stored()).pdlss).to.deep.equal({})
    await page.unrouteAll()
    await button('Save the boundary').click()
    await button('Change the boundary').waitFor()
    expect((await stored()).pdlss).to.deep.equal({
      limits: { maxCumulativeSpend: 1000 },
      scope: { deniedResources: ['/admin/**'] },
    })
  })

  it('keeps routes, and an allowlist', async () => {
    await button('Add a route').click()
    await label('Pattern of route 1').fill('/orders/**')
    await label('Least level of route 1').selectOption('full')
    await button('Save routes').click()
    await button('Save routes').waitFor({ state: 'detached' })
    expect((await stored()).routes).to.deep.equal([
      { pattern: '/orders/**', method: '*', minAccessLevel: 'full' },
    ])
    await label('Owner').fill('SVCD-short')
    await button('Add to the allowlist').click()
    await page.getByText('expected SVCD- or SVCO- and 22 characters').waitFor()
    await label('Owner').fill(FRIEND)
    await button('Add to the allowlist').click()
    await button(`Remove ${FRIEND}`).waitFor()
    await look('endpoint')
    await button(`Remove ${FRIEND}`).click()
    await page.getByText('No entry: agents of every owner may come.').waitFor()
  })

  it('keeps what a colleague has changed since the page was read', async () => {
    const admin = { pattern: '/admin/**', method: '*', minAccessLevel: 'internal' }
    await button('Add a route').click()
    const colleague = (body: object) =>
      api(service.baseUrl, 'PUT', `/api/endpoints/${svceId}`, { bearer: apiKey, body })
    await colleague({ trustScoreRequirement: 55, routes: [admin] })
    await label('Name').fill('Checkout II')
    await section('Name and trust score').getByRole('button', { name: 'Save' }).click()
    await heading('Checkout II').waitFor()
    expect(await stored()).to.include({ name: 'Checkout II', trustScoreRequirement: 55 })
    await section('Routes').getByText('any method /admin/** from internal').waitFor()
    await colleague({ routes: [] })
    await button('Save routes').click()
    await section('Routes').getByText('Now they are: none').waitFor()
    expect((await stored()).routes).to.deep.equal([])
    await look('routes of two')
    await button('Save routes').click()
    await section('Routes').getByRole('alert').waitFor({ state: 'detached' })
    expect((await stored()).routes.map(({ pattern }: { pattern: string }) => pattern)).to.deep.equal([
      '/orders/**',
      '/**',
    ])
    await button('Change the boundary').click()
    await label('Cumulative spend').fill('5000')
    const before = (await stored()).pdlss
    // A colleague's change would take the colleague's passkey.
    await page.route(`**/api/endpoints/${svceId}`, async (route) => {
      const { endpoint } = await (await route.fetch()).json()
      const pdlss = { limits: { maxCumulativeSpend: 10 } }
      await route.fulfill({ json: { success: true, endpoint: { ...endpoint, pdlss } } })
    })
    await button('Save the boundary').click()
    await page.getByText('Somebody changed the boundary meanwhile').waitFor()
    await look('boundary of two')
    expect((await stored()).pdlss).to.deep.equal(before)
    await page.unrouteAll()
    await button('Discard changes').click()
    await label('Name').fill('Checkout')
    await section('Name and trust score').getByRole('button', { name: 'Save' }).click()
    await heading('Checkout').waitFor()
  })

  it('says what to publish to prove the domain, and what is missing', async () => {
    await button('Show what to publish').click()
    await page.getByText('Not proven yet').waitFor()
    await page.getByText(/_svc-challenge\.shop\.acme\.io/).waitFor()
    await look('domain')
  })

  it('sets a webhook, tests it, sends an event again, and shows a rotated secret once', async () => {
    const receiver = await openReceiver()
    try {
      await section('Webhook').getByLabel('Address').fill(`${receiver.url}/hook`)
      await button('Save the address').click()
      await button('Send a test event').click()
      await page.getByText('The test event arrived').waitFor()
      await section('Webhook').getByText('Delivered').waitFor()
      await button('Send again: Test event').first().click()
      await section('Webhook').getByText('sent again').waitFor()
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
      await look('webhook')
      await button('Rotate the secret').click()
      await look('rotation')
      await button('Rotate').click()
      await page.getByText('Store the webhook secret now').waitFor()
      const last = String(await section('Webhook').locator('text=/^whsec_[^*]/').textContent()).slice(-4)
      expect((await stored()).webhookSecret).to.equal(`whsec_****${last}`)
      await section('Webhook').getByText('the one before signs too').waitFor()
      receiver.mood.status = 410
      await button('Send a test event').click()
      await page.getByText('Nothing is sent any more').waitFor()
      await button('Remove the webhook').click()
      await button('Remove the webhook').waitFor({ state: 'detached' })
    } finally {
      await receiver.stop()
    }
  })

  it('deactivates and archives after saying what follows', async () => {
    await button('Deactivate').click()
    await page.getByText('It cannot be made active again').waitFor()
    await look('deactivation')
    await button('Deactivate for good').click()
    await button('Archive').click()
    await page.getByText('Its address is free').waitFor()
    await button('Archive for good').click()
    await section('About').getByText('Archived').waitFor()
    await go('/endpoints', 'Endpoints')
    await page.getByText('No endpoints yet').waitFor()
    await page.getByText('Archived', { exact: true }).click()
    await page.getByRole('link', { name: /Checkout/ }).waitFor()
    await look('archived')
  })

  it('registers an endpoint by a key that it makes, and shows both secrets once', async () => {
    await go('/endpoints/register', 'Register an endpoint')
    await page.locator('input[name=endpointName]').fill('Orders API')
    await page.locator('input[name=counterpartyUrl]').fill('https://orders.acme.io/v1')
    await label('Set a boundary now').check()
    await look('register endpoint')
    await button('Register the endpoint').click()
    const key = await page.getByText(/^svc_live_[0-9A-Za-z]{32}$/).textContent()
    await page.getByText(/^whsec_[0-9A-Za-z+/=]{40,}$/).waitFor()
    await look('registered endpoint')
    await page.getByRole('link', { name: 'Go to Orders API' }).click()
    await heading('Orders API').waitFor()
    const { body } = await api(
      service.baseUrl,
      'GET',
      page.url().replace(/^.*\/endpoints/, '/api/endpoints'),
      {
        bearer: key ?? '',
      },
    )
    expect(body.endpoint.name).to.equal('Orders API')
  })

  it('has nothing that axe finds serious, in light and dark, and fits the phone', () => {
    expect(wrong).to.deep.equal([])
  })

  it('neither throws nor meets the content security policy', () => {
    expect(complaints).to.deep.equal([])
  })
})
