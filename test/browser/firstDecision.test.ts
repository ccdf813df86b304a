import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createOrganisation, registerEndpoint } from '../builders/participants.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { addVirtualAuthenticator, signInWithPasskey } from './support/addVirtualAuthenticator.ts'
import { awaitMailedLink } from './support/awaitMailedLink.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { injectWallet } from './support/injectWallet.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

describe('an owner, from the first visit to a proven decision', function () {
  this.timeout(240_000)
  let service: StartedService
  let browser: Browser
  const pageErrors: string[] = []
  const wallet = privateKeyToAccount(generatePrivateKey())

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name, exact: typeof name === 'string' })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const label = (page: Page, name: string) =>
    page.getByLabel(new RegExp(`^${name}( \\*)?$`)).and(page.locator('input, textarea, select'))

  async function go(page: Page, path: string, title: string): Promise<void> {
    await showPath(page, path)
    await heading(page, title).waitFor()
  }

  async function openAccount(page: Page): Promise<void> {
    await page.goto(service.baseUrl.replace('127.0.0.1', 'localhost'))
    await button(page, 'Create an account').click()
    await page.locator('input[name=fullName]').fill('An Owner')
    await page.locator('input[name=email]').fill('owner@people.io')
    await page.locator('input[name=password]').fill('correct horse battery')
    await button(page, 'Create account').click()
    await heading(page, 'Overview').waitFor()
    await go(page, '/account', 'Account')
    await page.locator('input[name=passkeyName]').fill('My phone')
    await button(page, 'Add passkey').click()
    await button(page, 'Remove My phone').waitFor()
    await button(page, 'Link Test wallet').click()
    await page.getByText('Wallet linked').waitFor()
  }

  /** @returns The identifier of the agent. */
  async function registerAgent(page: Page): Promise<string> {
    await go(page, '/agents/register', 'Register an agent')
    await label(page, 'Name').fill('Courier')
    await button(page, 'Next: technology').click()
    await button(page, 'Next: boundary').click()
    await label(page, 'Autonomous threshold').fill('50')
    await label(page, 'Approval threshold').fill('500')
    await label(page, 'Currency').fill('usd')
    await label(page, 'Categories').fill('shopping')
    await page.keyboard.press('Enter')
    await button(page, 'Next: sign').click()
    await button(page, 'Sign and register with Test wallet').click()
    await page.getByText('Courier is registered').waitFor()
    const link = await page.getByRole('link', { name: 'Go to the agent' }).getAttribute('href')
    return (link ?? '').replace('/agents/', '')
  }

  it('registers an agent, approves a request from the mailed link on the phone, and sees the grant live and proven', async () => {
    const page = await openPage(browser, pageErrors, { viewport: { width: 1280, height: 900 } })
    await injectWallet(page, wallet)
    const keys = await addVirtualAuthenticator(page)
    await openAccount(page)
    const agentId = await registerAgent(page)

    const shop = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const request = {
      ...{ agentId, counterpartyId, purpose: 'shopping:buy', resource: '/orders/1' },
      ...{ transactionValue: 150, currency: 'USD', attemptId: randomUUID() },
    }
    const verify = async () =>
      (
        await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
          bearer: shop.apiKey,
          body: request,
        })
      ).body
    await go(page, '/activity', 'Activity')
    await page.getByText('Live', { exact: true }).waitFor()
    const held = await verify()
    expect(held.recommendation).to.equal('step_up_required')

    const phone = await openPage(browser, pageErrors)
    const phoneKeys = await addVirtualAuthenticator(phone)
    await phoneKeys.replaceCredentials(await keys.credentials())
    await phoneKeys.setPresent(false)
    await phone.goto(
      await awaitMailedLink(service.dataDir, `/activity/pending/${held.stepUpApproval.approvalId}`),
    )
    await phone.getByText('An agent is waiting for its owner').waitFor()
    await signInWithPasskey(phone, phoneKeys, heading(phone, 'Courier requests your approval'))
    await button(phone, 'Approve with a passkey').click()
    await phone.getByText('You approved this request').waitFor()

    const granted = await verify()
    expect(granted.recommendation).to.equal('grant')
    // The registration file may have been published since the list was loaded.
    await page.getByRole('button', { name: /^\d new$/ }).click()
    await page.getByRole('button', { name: /^Timeline of .*\$150\.00.*Granted$/ }).click()
    await page.getByRole('link', { name: 'Access granted' }).click()
    await page.locator('[data-proof=proven]').waitFor({ timeout: 30_000 })
    expect(new URL(page.url()).pathname).to.equal(`/activity/${granted.auditRecordId}`)
    expect(pageErrors).to.deep.equal([])
  })
})
