import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { createOrganisation, type Organisation } from '../builders/participants.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

/** More than a session may request per minute. */
const COUNT = 130
const PART = 25
const EMAIL = 'ada@people.io'

describe('many alerts in a browser', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  let stranger: Organisation
  let ada: { accessToken: string; user: { id: string } }
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    const body = {
      email: EMAIL,
      password: 'correct horse battery',
      fullName: 'Ada',
      accountType: 'individual',
    }
    const { data } = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body
    ada = data
    stranger = await createOrganisation(service.baseUrl)
    for (let nth = 0; nth <= COUNT; nth += 1) {
      const owner = nth === COUNT ? stranger.organizationId : data.user.developerId
      await service.rows(
        `INSERT INTO alerts (id, owner_id, code, severity, subject, day, data, created_at)
         VALUES (?, ?, 'kyd.rejected', 'warning', ?, '2026-01-05', '{}', ?)`,
        ...[`0190a000-0000-7000-8000-${String(nth).padStart(12, '0')}`, owner, `subject ${nth}`, nth + 1],
      )
    }
    page = await openPage(browser, pageErrors)
    await signInBrowser(page, service.baseUrl, data.refreshToken)
    await page.goto(`${service.baseUrl}/alerts`)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const rows = () => page.getByRole('article').count()
  const unread = () => service.rows('SELECT id FROM alerts WHERE read_at IS NULL')

  it('are marked as read a hundred at a time, only for this account', async () => {
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/read')) sent += 1
    })
    for (let shown = PART; shown < COUNT; shown += PART) {
      await waitUntil(async () => ((await rows()) === shown ? true : null))
      await page.getByRole('button', { name: 'Load more' }).click()
    }
    await waitUntil(async () => ((await rows()) === COUNT ? true : null))
    await page.getByRole('button', { name: 'Mark these as read' }).click()
    await page.getByText('No unread alerts').waitFor()
    expect(sent).to.equal(2)
    expect(await unread()).to.have.lengthOf(1)
  })

  it('of an organisation are read-only for its viewers', async () => {
    const members = `/api/organizations/${stranger.organizationId}/members`
    await service.rows('UPDATE users SET email_verified_at = 1')
    for (const [method, path, bearer, body] of [
      ['POST', members, stranger.accessToken, { email: EMAIL, role: 'viewer' }],
      ['PATCH', `${members}/${ada.user.id}`, ada.accessToken, { status: 'active' }],
    ] as const) {
      const answer = await api(service.baseUrl, method, path, { bearer, body })
      expect(answer.status, JSON.stringify(answer.body)).to.be.below(300)
    }
    await page.reload()
    const article = page.getByRole('article')
    await article.getByText('unread').waitFor()
    expect(await article.getByRole('button').count()).to.equal(0)
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().waitFor()
    expect(await page.getByRole('link', { name: /^Alerts,? .*unread/ }).count()).to.equal(0)
    expect(await unread()).to.have.lengthOf(1)
  })

  it('throw no errors and cause no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
