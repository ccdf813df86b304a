import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { createOrganisation, registerEndpoint } from '../builders/participants.ts'
import { buildDocs } from '../harness/runner/buildDocs.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

describe('the documentation in a browser', () => {
  const pageErrors: string[] = []
  const elsewhere: string[] = []
  let service: StartedService
  let browser: Browser
  let page: Page

  before(async function () {
    this.timeout(300_000)
    browser = await openBrowser(this)
    await buildDocs()
    service = await startService()
    page = await openPage(browser, pageErrors)
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.baseUrl) {
        elsewhere.push(request.url())
      }
    })
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = (path: string) => page.goto(`${service.baseUrl}${path}`)

  it('lists its pages by reader, and leads from one to the next without a page load', async () => {
    await page.setViewportSize({ width: 1200, height: 800 })
    await open('/docs')
    expect(page.url()).to.equal(`${service.baseUrl}/docs/`)
    const sidebar = page.getByRole('navigation', { name: 'Sidebar Navigation' })
    for (const group of ['Start', 'Concepts', 'Guides', 'Reference', 'Operations', 'Design decisions']) {
      await sidebar.getByRole('heading', { name: group, exact: true }).waitFor()
    }
    await sidebar.getByRole('link', { name: 'Errors', exact: true }).click()
    await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()
    expect(page.url()).to.equal(`${service.baseUrl}/docs/errors`)
  })

  it('finds a page by its text, without asking the service', async () => {
    await open('/docs/')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const search = page.locator('#localsearch-input')
    // The index has arrived once something is found.
    await search.fill('webhook')
    const results = page.getByRole('listbox').getByRole('option')
    await results.first().waitFor()
    await page.context().setOffline(true)
    await search.fill('nonce_reused')
    await results.filter({ hasText: 'Errors' }).first().waitFor()
    await page.context().setOffline(false)
  })

  it('says that a page does not exist', async () => {
    const response = await open('/docs/no-such-page')
    expect(response?.status()).to.equal(404)
    await page.getByText('PAGE NOT FOUND').waitFor()
  })

  it('is dark if the reader’s system is, and stays as the reader chooses', async () => {
    const isDark = () => page.evaluate(() => document.documentElement.classList.contains('dark'))
    await page.emulateMedia({ colorScheme: 'dark' })
    await open('/docs/errors')
    expect(await isDark()).to.equal(true)
    await page.getByRole('switch').first().click()
    await page.reload()
    expect(await isDark()).to.equal(false)
    await page.evaluate(() => window.localStorage.clear())
  })

  it('fits phones, and passes axe in light and dark', async () => {
    const problems: string[] = []
    for (const width of [320, 390]) {
      await page.setViewportSize({ width, height: 700 })
      for (const path of ['/docs/', '/docs/errors', '/docs/agents', '/docs/client-library']) {
        await open(path)
        problems.push(...(await findPageProblems(page, `${path} at ${width}`)))
      }
    }
    expect(problems).to.deep.equal([])
  })

  describe('the API reference', () => {
    const OPERATION = '/docs/reference#tag/verification/postAgentsVerifyAccess'

    /** Opens the operation unless it is open: the page takes a processor ten seconds. */
    async function openOperation(width: number): Promise<void> {
      await page.setViewportSize({ width, height: 900 })
      if (!page.url().endsWith(OPERATION)) await open(OPERATION)
      await page.getByRole('button', { name: 'Test Request' }).first().waitFor()
    }

    it('still opens at the operation that an old address names', async () => {
      await open('/docs#postAgentsVerifyAccess')
      await page.waitForURL(`**${OPERATION}`)
      await page.getByRole('heading', { name: /^Decides whether an agent may perform an action/ }).waitFor()
    })

    for (const width of [320, 1200]) {
      it(`is not too wide at ${width} px, and passes axe in light and dark`, async () => {
        await openOperation(width)
        const problems = await findPageProblems(page, 'reference')
        // The component's list of operations is an `aside` with the role of a navigation.
        const isKnown = (problem: string) => problem.includes('minor aria-allowed-role .t-doc__sidebar')
        expect(problems.filter((problem) => !isKnown(problem))).to.deep.equal([])
      })
    }

    it('shows each call with curl, in TypeScript and in Python', async () => {
      await openOperation(1200)
      const operation = page.locator('[id$="tag/verification/postAgentsVerifyAccess"]')
      const languages = operation.getByRole('button', { name: /Shell Curl|Python Requests|TypeScript/ })
      await operation.getByText('curl http').first().waitFor()
      for (const [language, code] of [
        ['Requests', 'requests.post('],
        ['TypeScript', 'await fetch('],
      ] as const) {
        await languages.first().click()
        await page.getByRole('option', { name: language, exact: true }).click()
        await operation.getByText(code).first().waitFor()
      }
    })

    it('leads to an operation by keyboard, and says so', async () => {
      await page.setViewportSize({ width: 1200, height: 900 })
      await open('/docs/reference#tag/agents')
      const link = page.getByRole('list', { name: 'Verification endpoints' }).getByRole('link').first()
      await link.focus()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/docs/reference#tag/verification/*')
      await page.locator('button[aria-current="true"]').first().waitFor()
    })

    it('performs a call with the reader’s own key', async () => {
      const { apiKey } = await createOrganisation(service.baseUrl)
      const counterpartyId = await registerEndpoint(service.baseUrl, apiKey)
      await openOperation(1200)
      const operation = page.locator('[id$="tag/verification/postAgentsVerifyAccess"]')
      await operation.getByRole('button', { name: 'Test Request' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByPlaceholder('Token').fill(apiKey)
      const body = dialog.locator('.cm-content', { hasText: '"counterpartyId"' })
      await body.click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(JSON.stringify({ counterpartyId, purpose: 'shopping:browse' }))
      // Scalar sends what was typed only once some time has passed.
      const response = await waitUntil(async () => {
        const answered = page.waitForResponse('**/api/agents/verify-access')
        await dialog.getByRole('button', { name: /^Send/ }).first().click()
        const answer = await answered
        return answer.status() === 200 ? answer : null
      })
      expect((await response.json()).recommendation).to.equal('deny')
      await dialog.getByText('"recommendation"').first().waitFor()
    })
  })

  describe('each of these pages', () => {
    it('loads nothing from elsewhere and breaks no rule of the Content-Security-Policy', () => {
      expect(elsewhere).to.deep.equal([])
      expect(pageErrors).to.deep.equal([])
    })
  })
})
