import type { Organization } from '@svc/core/contract/accounts.ts'
import type { ActivityItem } from '@svc/core/contract/activity.ts'
import type { Approval } from '@svc/core/contract/approvals.ts'
import { expect } from 'chai'
import type { Browser, Page, Route } from 'playwright-core'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const AGENT = 'SVC-agent00000000000000000'
const MINUTE_MS = 60_000
const PAGE_SIZE = 20

const COUNTERPARTY = {
  ...{ name: 'Shop', host: 'shop.example', url: 'https://shop.example', counterpartyType: 'api' },
  ...{ verificationTier: 'domain_verified', status: 'active', knownSince: '2026-01-01T00:00:00.000Z' },
}

describe('the dashboard when time passes or requests fail', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    page = await openPage(browser, pageErrors)
    await page.clock.install()
    await page.goto(service.baseUrl)
    await button('Create an account').click()
    await page.locator('input[name=fullName]').fill('Ada Example')
    await page.locator('input[name=email]').fill('ada@acme.io')
    await page.locator('input[name=password]').fill('correct horse battery')
    await button('Create account').click()
    await heading('Overview').waitFor()
  })

  afterEach(async () => {
    await page?.context().setOffline(false)
    await page?.unrouteAll({ behavior: 'ignoreErrors' })
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const path = (wanted: string) => (url: URL) => url.pathname === wanted

  async function go(to: string, title: string): Promise<void> {
    await showPath(page, to)
    await heading(title).waitFor()
  }

  it('refreshes the list of pending approvals, and reports a failed refresh above it', async () => {
    await go('/approvals', 'Approvals')
    await page.getByText('No pending requests').waitFor()
    await page.route(path('/api/step-up-approvals'), (route) => fail(route, 500))
    await page.clock.fastForward(11_000)
    await page.getByText('The test lets it fail.').waitFor()
    expect(await page.getByText('No pending requests').isVisible()).to.equal(true)
    await page.unrouteAll()
    await page.route(path('/api/step-up-approvals'), (route) =>
      route.fulfill({ json: { success: true, items: [approval('1')], nextCursor: null, hasMore: false } }),
    )
    await button('Try again').click()
    await page.getByRole('link', { name: /Buyer/ }).waitFor()
    expect(await page.getByText('The test lets it fail.').count()).to.equal(0)
  })

  it('fails an offline change immediately, and does not send it later', async () => {
    await go('/organisations', 'Organisations')
    await button('Create organisation').click()
    await page.locator('input[name=name]').fill('Acme Offline')
    await page.context().setOffline(true)
    await button('Create').click()
    await page.getByText('The service could not be reached').first().waitFor()
    let sent = 0
    await page.route(path('/api/organizations'), (route) => {
      if (route.request().method() === 'POST') sent++
      return route.continue()
    })
    // The list is stale by then and is refetched once online again; a queued change would be sent too.
    await page.clock.fastForward(6_000)
    const read = page.waitForResponse((response) => path('/api/organizations')(new URL(response.url())))
    await page.context().setOffline(false)
    await read
    expect(sent).to.equal(0)
    await page.keyboard.press('Escape')
  })

  it('keeps the loaded list of a period while it is on screen', async () => {
    const asked = new Set<string | null>()
    await page.route(path('/api/activity'), (route) => {
      asked.add(new URL(route.request().url()).searchParams.get('since'))
      return route.continue()
    })
    await go('/activity?period=hour', 'Activity')
    await button('Pause').click()
    await page.clock.fastForward(2 * MINUTE_MS)
    await button('Resume').click()
    await button('Pause').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect([...asked]).to.have.lengthOf(1)
  })

  it('counts down from when the response was fetched, not from when it is shown', async () => {
    const one = '/api/step-up-approvals/1'
    await page.route(path(one), (route) =>
      route.fulfill({
        json: {
          success: true,
          approval: { ...approval('1'), counterparty: COUNTERPARTY, spending: null, assertionOptions: null },
        },
      }),
    )
    await go('/activity/pending/1', 'Buyer requests your approval')
    await page.getByText(/^(10:00|9:\d\d)$/).waitFor()
    await go('/account', 'Account')
    await page.unrouteAll()
    await page.route(path(one), () => undefined)
    await page.clock.fastForward(2 * MINUTE_MS)
    await go('/activity/pending/1', 'Buyer requests your approval')
    await page.getByText(/^(8:00|7:\d\d)$/).waitFor()
  })

  it('counts more live events than it remembers, and lists them without a gap on request', async () => {
    let newest = PAGE_SIZE
    let streams = 0
    await page.route(path('/api/activity'), (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? newest)
      const items = Array.from({ length: Math.min(PAGE_SIZE, from) }, (_, at) => event(from - at))
      const nextCursor = from > PAGE_SIZE ? String(from - PAGE_SIZE) : null
      return route.fulfill({ json: { success: true, items, nextCursor, hasMore: nextCursor !== null } })
    })
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    await page.route(path('/api/activity/stream'), async (route) => {
      let body = `id: ${newest}\n\n`
      if (streams++ === 0) {
        await begun
        for (let at = newest + 1; at <= 530; at++) body += `id: ${at}\ndata: ${JSON.stringify(event(at))}\n\n`
      }
      return route.fulfill({ contentType: 'text/event-stream', body })
    })
    await go('/activity', 'Activity')
    const shown = page.getByRole('main').getByRole('link', { name: /\/orders\// })
    await waitUntil(async () => ((await shown.count()) === PAGE_SIZE ? true : null))
    begin()
    await button('500+ new').waitFor()
    expect(await shown.count()).to.equal(PAGE_SIZE)
    newest = 530
    await button('500+ new').click()
    await waitUntil(async () =>
      /\/orders\/530/.test((await shown.first().textContent()) ?? '') ? true : null,
    )
    await button('Load more').click()
    await waitUntil(async () => ((await shown.count()) === 2 * PAGE_SIZE ? true : null))
    const numbers = (await shown.allTextContents()).map((text) => Number(/\/orders\/(\d+)/.exec(text)?.[1]))
    expect(numbers).to.deep.equal(Array.from({ length: 2 * PAGE_SIZE }, (_, at) => 530 - at))
  })

  it('refetches a long list when it is opened, but not whenever its tab regains focus', async () => {
    let asked = 0
    await page.route(path('/api/organizations'), (route) => {
      asked += 1
      const from = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0)
      const items = Array.from({ length: PAGE_SIZE }, (_, at) => organisation(from + at))
      const nextCursor = String(from + PAGE_SIZE)
      return route.fulfill({ json: { success: true, items, nextCursor, hasMore: true } })
    })
    await go('/organisations', 'Organisations')
    const rows = page.getByText(/^Number \d+$/)
    const has = (parts: number) =>
      waitUntil(async () => ((await rows.count()) === parts * PAGE_SIZE ? true : null))
    const refocus = async () => {
      asked = 0
      await page.clock.fastForward(MINUTE_MS)
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    }
    await has(1)
    await refocus()
    await waitUntil(async () => (asked > 0 ? true : null))
    for (let parts = 2; parts <= 5; parts += 1) {
      await button('Load more').click()
      await has(parts)
    }
    await refocus()
    await button('Load more').click()
    await has(6)
    expect(asked).to.equal(1)
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})

function fail(route: Route, status: number): Promise<void> {
  return route.fulfill({
    status,
    json: { success: false, code: 'INTERNAL_ERROR', message: 'The test lets it fail.' },
  })
}

/** A pending approval with ten minutes left. */
function approval(approvalId: string): Approval {
  return {
    approvalId,
    status: 'pending',
    agentId: AGENT,
    agentName: 'Buyer',
    request: {
      agentId: 'SVC-1',
      endpointId: null,
      counterpartyUrl: 'https://shop.acme.io',
      category: 'shopping:buy',
    },
    dimensions: ['limit'],
    needsFreshAssertion: false,
    attemptId: '3d1f6c2a-5b8e-4f7d-9a60-c4e8b2d17f95',
    createdAt: '2026-01-05T00:00:00.000Z',
    expiresAt: '2026-01-05T00:10:00.000Z',
    secondsLeft: 600,
    decidedAt: null,
    consumedAt: null,
  }
}

function organisation(number: number): Organization {
  return {
    organizationId: `SVCO-${number}`,
    name: `Number ${number}`,
    isSuspended: false,
    role: 'owner',
    status: 'active',
    createdAt: '2026-01-05T00:00:00.000Z',
  }
}

function event(number: number): ActivityItem {
  return {
    id: `event-${number}`,
    auditRecordId: `event-${number}`,
    eventType: 'verification.completed',
    occurredAt: '2026-01-05T00:00:00.000Z',
    agentId: AGENT,
    endpointId: null,
    callerCategory: null,
    endpointCategory: 'external',
    eventData: { recommendation: 'grant', resource: `/orders/${number}` },
    purchaseId: `event-${number}`,
    outcome: 'granted',
    endpointName: null,
    purchaseOutcome: 'granted',
  }
}
