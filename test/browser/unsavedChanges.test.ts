import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { seed } from '../../scripts/screenshots/seed.ts'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

const LOST = 'You have changes on this page that are not saved. Leave it and lose them?'

describe('unsaved changes', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  let endpointPath: string
  let agentPath: string
  const pageErrors: string[] = []
  /** What the reader was asked, and the answer to the next question. */
  let questions: string[] = []
  let isLeaving = false

  before(async function () {
    this.timeout(120_000)
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    const seeded = await seed(service.baseUrl, service.dataDir)
    endpointPath = `/endpoints/${seeded.svceId}`
    agentPath = `/agents/${seeded.svcId}`
    page = await openPage(browser, pageErrors, { viewport: { width: 1280, height: 800 } })
    await signInBrowser(page, service.baseUrl, seeded.refreshToken)
    page.on('dialog', async (dialog) => {
      questions.push(dialog.type() === 'beforeunload' ? 'beforeunload' : dialog.message())
      await (isLeaving ? dialog.accept() : dialog.dismiss())
    })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  const follow = (name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

  const edited = () => page.getByRole('region', { name: 'In words' }).getByText(/SE|Sweden/)

  /** Opens the endpoint from the list, and edits its boundary. */
  async function editBoundary(): Promise<void> {
    isLeaving = true
    await page.goto(`${service.baseUrl}/endpoints`)
    await page.locator(`a[href="${endpointPath}"]`).click()
    await page.getByRole('tab', { name: 'Policy' }).click()
    await button('Change boundary').click()
    await page.getByRole('combobox', { name: 'Jurisdictions' }).fill('SE')
    await page.keyboard.press('Enter')
    await edited().waitFor()
    questions = []
    isLeaving = false
  }

  async function expectKept(): Promise<void> {
    expect(new URL(page.url()).pathname).to.equal(endpointPath)
    await edited().waitFor()
  }

  it('stay when the reader follows a link and thinks better of it', async () => {
    await editBoundary()
    await follow('Agents')
    expect(questions).to.deep.equal([LOST])
    await expectKept()
  })

  it('stay when the reader goes back in the history and thinks better of it', async () => {
    await editBoundary()
    await page.goBack()
    expect(questions).to.deep.equal([])
    await page.goBack()
    // The browser has gone back before the page can ask.
    await waitUntil(async () => questions.length || null)
    expect(questions).to.deep.equal([LOST])
    await page.getByRole('tab', { name: 'Policy' }).click()
    await expectKept()
  })

  it('are asked about before a sign-out', async () => {
    await editBoundary()
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    expect(questions).to.deep.equal([LOST])
    await expectKept()
  })

  it('are asked about by the browser before the tab closes', async () => {
    await editBoundary()
    isLeaving = true
    await page.reload()
    expect(questions).to.deep.equal(['beforeunload'])
  })

  it('do not keep a reader who agrees to lose them', async () => {
    await editBoundary()
    isLeaving = true
    await follow('Agents')
    await heading('Agents')
    expect(questions).to.deep.equal([LOST])
  })

  it('are kept from one tab of the page to another without a question', async () => {
    await editBoundary()
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByRole('tab', { name: 'Policy' }).click()
    await expectKept()
    expect(questions).to.deep.equal([])
  })

  it('are no question once they are discarded', async () => {
    await editBoundary()
    await button('Discard changes').click()
    await follow('Agents')
    await heading('Agents')
    expect(questions).to.deep.equal([])
  })

  it('are asked about in every long form', async function () {
    this.timeout(180_000)
    const open = async (path: string, name: string) => {
      await page.goto(`${service.baseUrl}${path}`)
      await heading(name)
    }
    const endpoint = (tab: string) => open(`${endpointPath}?tab=${tab}`, 'Orders API')
    const agent = (tab: string) => open(`${agentPath}?tab=${tab}`, 'Purchasing assistant')
    const fill = (label: string) => page.getByRole('textbox', { name: label }).first().fill('https://a.io')
    const choose = (label: RegExp) => page.getByRole('radio', { name: label }).first().click()
    const forms: [name: string, edit: () => Promise<unknown>][] = [
      ['policy', () => endpoint('policy').then(() => choose(/^Restricted/))],
      ['requirements', () => endpoint('policy').then(() => choose(/^Signed request/))],
      ['routes', () => endpoint('policy').then(() => button('Add route').click())],
      ['allowlist', () => endpoint('allowlist').then(() => fill('Owner'))],
      ['webhook', () => endpoint('webhooks').then(() => fill('URL'))],
      ['name of the endpoint', () => endpoint('settings').then(() => fill('Name'))],
      ['approval rules', () => agent('rules').then(() => button('Add rule').click())],
      ['requirements of the agent', () => agent('settings').then(() => choose(/^Signed request/))],
      ['name of the agent', () => agent('settings').then(() => fill('Name'))],
      ['other names', () => agent('settings').then(() => fill('ENS name'))],
      ['new endpoint', () => open('/endpoints/register', 'Register an endpoint').then(() => fill('Name'))],
      ['identity', () => open('/kyd', 'Verify your identity').then(() => fill('First line'))],
    ]
    for (const [name, edit] of forms) {
      isLeaving = true
      await edit()
      questions = []
      isLeaving = false
      await follow('Agents')
      expect(questions, name).to.deep.equal([LOST])
    }
  })

  it('throw no errors', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
