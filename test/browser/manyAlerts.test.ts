import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { organisation } from '../builders/world.ts'
import { api } from '../harness/api.ts'
import { type StartedService, startService } from '../harness/startService.ts'
import { until } from '../harness/until.ts'
import { buildDashboard } from './buildDashboard.ts'
import { openBrowser, openPage } from './openBrowser.ts'

/** More than the budget of a session for a minute. */
const COUNT = 130
const PART = 25

describe('many alerts in a browser', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    const body = {
      email: 'ada@people.io',
      password: 'correct horse battery',
      fullName: 'Ada',
      accountType: 'individual',
    }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body
    const stranger = await organisation(service.baseUrl)
    for (let nth = 0; nth <= COUNT; nth += 1) {
      const owner = nth === COUNT ? stranger.organizationId : data.user.developerId
      await service.rows(
        `INSERT INTO alerts (id, owner_id, code, severity, subject, day, data, created_at)
         VALUES (?, ?, 'kyd.rejected', 'warning', ?, '2026-01-05', '{}', ?)`,
        ...[`0190a000-0000-7000-8000-${String(nth).padStart(12, '0')}`, owner, `subject ${nth}`, nth + 1],
      )
    }
    page = await openPage(browser, complaints)
    await page.goto(`${service.baseUrl}/docs`)
    await page.evaluate((token) => sessionStorage.setItem('svc.refreshToken', token), data.refreshToken)
    await page.goto(`${service.baseUrl}/alerts`)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const rows = () => page.getByRole('article').count()
  const unread = () => service.rows('SELECT id FROM alerts WHERE read_at IS NULL')

  it('are marked as read a hundred at a time, and nobody else’s', async () => {
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/read')) sent += 1
    })
    for (let shown = PART; shown < COUNT; shown += PART) {
      await until(async () => ((await rows()) === shown ? true : null))
      await page.getByRole('button', { name: 'Load more' }).click()
    }
    await until(async () => ((await rows()) === COUNT ? true : null))
    await page.getByRole('button', { name: 'Mark these as read' }).click()
    await page.getByText('Nothing unread').waitFor()
    expect(sent).to.equal(2)
    expect(await unread()).to.have.lengthOf(1)
  })

  it('neither throw nor meet the content security policy', () => {
    expect(complaints).to.deep.equal([])
  })
})
