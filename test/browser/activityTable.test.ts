import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type Owner, type OwnerScene, openOwnerScene } from '../server/services/approvals/openOwnerScene.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

describe('the table of the activity in a browser', () => {
  let scene: OwnerScene
  let ada: Owner
  let browser: Browser
  let page: Page
  let agentId: string
  let other: string
  let held: { request: object; approvalId: string }
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    scene = await openOwnerScene({ API_RATE_PER_MINUTE: '1000' })
    ada = await scene.owner()
    agentId = await ada.agent({ name: 'Careful Buyer' })
    other = await ada.agent({ name: 'Second Buyer' })
    held = await scene.asked(agentId)
    await ada.approve(held.approvalId)
    const granted = await scene.verify(held.request)
    const decided = `/api/agents/verify-access/${granted.body.sessionId}/decision`
    await scene.call('POST', decided, { bearer: scene.shop.apiKey, body: { decision: 'granted' } })
    await scene.verify(scene.asking(other, { transactionValue: 20, resource: '/orders/77' }))
    await scene.verify(scene.asking(other, { transactionValue: 3, resource: '/=formula' }))
    await scene.asked(agentId, { resource: '/orders/8', transactionValue: 180 })
    const organizationId = await ada.organizationWith([])
    const { key } = (await ada.call('POST', '/api/api-keys', { body: { name: 'key', organizationId } })).body
    await scene.call('POST', '/api/agents/verify-access', {
      bearer: key,
      body: { counterpartyUrl: 'https://seen.acme.io/', callerMetadata: { sourceIp: '192.0.2.7' } },
    })
    const password = 'correct horse battery'
    const { data } = (await scene.call('POST', '/api/auth/login', { body: { email: ada.email, password } }))
      .body
    page = await openPage(browser, pageErrors, { viewport: { width: 1280, height: 900 } })
    await signInBrowser(page, scene.appUrl, data.refreshToken)
  })
  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const table = () => page.getByRole('table', { name: 'Activity' })
  const purchases = () => table().locator('[data-purchase]')
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const count = (expected: number) =>
    waitUntil(async () => ((await purchases().count()) === expected ? true : null))
  const filter = (name: string) => new URL(page.url()).searchParams.get(name)
  const open = async (query = '') => {
    await page.goto(`${scene.appUrl}/activity${query}`)
    await table().waitFor()
  }
  const bought = () => purchases().filter({ hasText: '$150.00' })

  it('shows one row a purchase with what it came to, which unfolds into its timeline', async () => {
    await open()
    await bought().getByText('Granted', { exact: true }).waitFor()
    expect(await bought().count()).to.equal(1)
    await page.getByRole('button', { name: /^Timeline of Careful Buyer → .*\$150\.00.*Granted$/ }).click()
    await table().getByText('Counterparty’s decision').waitFor()
    const happened = await table().getByRole('listitem').getByRole('link').allTextContents()
    expect(happened).to.deep.equal([
      'Held for approval',
      'Approval requested',
      'Approval granted',
      'Access granted',
      'Approval used',
      'Counterparty’s decision',
    ])
    await table().getByRole('link', { name: 'Access granted' }).click()
    await page.getByRole('heading', { level: 1, name: /^Careful Buyer → / }).waitFor()
    await page.goBack()
    await bought()
      .getByRole('link', { name: /^Open Careful Buyer → / })
      .click()
    await page.getByRole('heading', { level: 1, name: /^Careful Buyer → / }).waitFor()
  })

  for (const [what, query, shown] of [
    ['outcome', () => 'outcome=held', ['$180.00']],
    ['text', () => 'text=ORDERS%2F77', ['$20.00']],
    ['agent', () => `agent=${other}&outcome=granted`, ['$20.00']],
    ['endpoint', () => `endpoint=${scene.svceId}&outcome=granted`, ['$20.00', '$150.00']],
    ['IP address', () => 'ip=192.0.2.7', ['seen.acme.io']],
    ['amount', () => 'currency=USD&amountMin=20&amountMax=150', ['$20.00', '$150.00']],
    ['event', () => 'eventType=approval.consumed', ['$150.00']],
    ['dates', () => 'period=dates&from=2020-01-01&to=2020-12-31', []],
    ['order', () => 'order=oldest&currency=USD&amountMin=20', ['$150.00', '$20.00', '$180.00']],
  ] as const) {
    it(`shows what the address says: ${what}`, async () => {
      await page.goto(`${scene.appUrl}/activity?${query()}`)
      if (shown.length === 0) await page.getByRole('heading', { name: 'No matches' }).waitFor()
      else await table().waitFor()
      await count(shown.length)
      for (const [nth, text] of shown.entries()) {
        expect(await purchases().nth(nth).textContent()).to.contain(text)
      }
    })
  }

  it('says on the page of an event why the endpoint of somebody else has no name', async () => {
    await open()
    await page.getByRole('button', { name: /^Timeline of Careful Buyer → .*\$150\.00/ }).click()
    await table().getByRole('listitem').getByRole('link').first().click()
    await page.getByText(/^It belongs to somebody else, .* you see its name and host\.$/).waitFor()
    expect(await findPageProblems(page, 'event at the endpoint of somebody else')).to.deep.equal([])
    await open()
  })

  it('puts every filter into the address, and goes back step by step', async () => {
    await open()
    const all = await purchases().count()
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Granted')
    await count(2)
    expect(filter('outcome')).to.equal('granted')
    await page.getByRole('textbox', { name: 'Text' }).fill('orders/77')
    await page.keyboard.press('Enter')
    await count(1)
    expect(filter('text')).to.equal('orders/77')
    await page.goBack()
    await count(2)
    expect(await page.getByRole('textbox', { name: 'Text' }).inputValue()).to.equal('')
    await page.goBack()
    await count(all)
  })

  it('says at its field what a filter does not accept', async () => {
    await page.goto(`${scene.appUrl}/activity?ip=nowhere&amountMin=5`)
    await page.getByText('IP address: expected an IP address').waitFor()
    await page.getByText('Choose the currency of the amounts.').waitFor()
    expect(await findPageProblems(page, 'refused filters')).to.deep.equal([])
  })

  it('shows the chosen columns, also when it is opened again', async () => {
    await open()
    await button('Columns').click()
    await page.getByRole('checkbox', { name: 'Purpose' }).check()
    await page.getByRole('checkbox', { name: 'Event' }).uncheck()
    expect(await findPageProblems(page, 'columns')).to.deep.equal([])
    await page.reload()
    await table().waitFor()
    const headers = await table().getByRole('columnheader').allTextContents()
    expect(headers.slice(1, -1)).to.deep.equal([
      'Time',
      'Outcome',
      'Agent',
      'Endpoint',
      'Purpose',
      'Resource',
      'Amount',
    ])
  })

  for (const [format, parse] of [
    [
      'CSV',
      (text: string) =>
        text
          .trimEnd()
          .split('\r\n')
          .slice(1)
          .map((line) => line.split(',')[0]),
    ],
    [
      'JSON Lines',
      (text: string) =>
        text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).auditRecordId),
    ],
  ] as const) {
    it(`exports as ${format} exactly what is shown`, async () => {
      await open(`?agent=${other}&currency=USD&order=oldest`)
      await button('Columns').click()
      await page.getByRole('checkbox', { name: 'Record', exact: true }).check()
      for (const name of ['Time', 'Outcome', 'Event', 'Agent', 'Endpoint', 'Purpose', 'Action', 'Resource'])
        await page.getByRole('checkbox', { name, exact: true }).uncheck()
      for (const name of ['Jurisdiction', 'Amount', 'Proof of identity', 'Reasons', 'IP address'])
        await page.getByRole('checkbox', { name, exact: true }).uncheck()
      await page.keyboard.press('Escape')
      const shown = (await purchases().locator('[data-label=Record]').allTextContents()).map((id) =>
        id.trim(),
      )
      expect(shown).to.have.lengthOf(2)
      await button('Export').click()
      const saved = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: format, exact: true }).click()
      const text = readFileSync(await (await saved).path(), 'utf8')
      expect(parse(text)).to.deep.equal(shown)
    })
  }

  /** Waits for the second load of the list, which follows the opening of the stream, and shows what happened until then. */
  async function settleList(): Promise<void> {
    await scene.verify(scene.asking(other, { transactionValue: 30 }))
    const listed = purchases().filter({ hasText: '$30.00' })
    const insert = page.locator('button:not([data-loading])', { hasText: '1 new' })
    await waitUntil(async () => {
      if (await insert.isVisible()) await insert.click()
      return (await listed.isVisible()) ? true : null
    })
  }

  it('keeps rows where they are: an outcome changes in its row, and new purchases wait for the reader', async () => {
    await page.evaluate(() => localStorage.clear())
    await open()
    await page.getByText('Live', { exact: true }).waitFor()
    await settleList()
    const before = await purchases().evaluateAll((rows) =>
      rows.map((row) => row.getAttribute('data-purchase')),
    )
    const place = await bought().boundingBox()
    await scene.verify(scene.asking(other, { transactionValue: 31 }))
    await scene.verify(scene.asking(other, { transactionValue: 32 }))
    await button('2 new').waitFor()
    const waiting = purchases().filter({ hasText: '$180.00' })
    const { items } = (await ada.call('GET', '/api/step-up-approvals?status=pending')).body
    await ada.deny(items[0].approvalId)
    await waiting.getByText('Denied', { exact: true }).waitFor()
    expect(await bought().boundingBox()).to.deep.equal(place)
    const after = await purchases().evaluateAll((rows) =>
      rows.map((row) => row.getAttribute('data-purchase')),
    )
    expect(after).to.deep.equal(before)
    await button('2 new').click()
    await count(before.length + 2)
    expect(await purchases().first().textContent()).to.contain('$32.00')
    await button('2 new').waitFor({ state: 'detached' })
  })

  it('adds what happens to the timeline that is open', async () => {
    const { request, approvalId } = await scene.asked(agentId, {
      resource: '/orders/9',
      transactionValue: 160,
    })
    await button('1 new').click()
    await page.getByRole('button', { name: /^Timeline of .*\$160\.00/ }).click()
    await table().getByText('Approval requested').waitFor()
    await ada.approve(approvalId)
    await table().getByText('Approval granted').waitFor()
    expect((await scene.verify(request)).body.recommendation).to.equal('grant')
    await table().getByText('Approval used').waitFor()
    await purchases().filter({ hasText: '$160.00' }).getByText('Granted', { exact: true }).waitFor()
  })

  it('can be used with the keyboard only', async () => {
    await open()
    await page.getByRole('combobox', { name: 'Order' }).focus()
    const pressUntil = async (name: RegExp) => {
      for (let nth = 0; nth < 60; nth += 1) {
        await page.keyboard.press('Tab')
        const label = await page.evaluate(
          () =>
            document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        )
        if (name.test(label)) return
      }
      throw new Error(`${name} is not reached with the Tab key`)
    }
    await pressUntil(/^Time$/)
    await page.keyboard.press('Enter')
    await waitUntil(async () => (filter('order') === 'oldest' ? true : null))
    await bought().waitFor()
    await pressUntil(/^Timeline of .*\$150\.00/)
    await page.keyboard.press('Space')
    await table().getByText('Approval used').waitFor()
    await pressUntil(/^Access granted$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: /^Careful Buyer → / }).waitFor()
  })

  it('is a list of readable rows on a phone, and fits a tablet', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await open()
    expect(await bought().locator('[data-label=Amount]').isVisible()).to.equal(true)
    await page.getByRole('button', { name: /^Timeline of .*\$150\.00/ }).click()
    await table().getByText('Approval used').waitFor()
    expect(await findPageProblems(page, 'activity on a phone')).to.deep.equal([])
    for (const width of [780, 920, 1100, 1210]) {
      await page.setViewportSize({ width, height: 844 })
      expect(await findPageProblems(page, 'activity on a tablet')).to.deep.equal([])
    }
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
