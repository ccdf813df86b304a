import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { addVirtualAuthenticator } from './support/addVirtualAuthenticator.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { countClicks } from './support/countClicks.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'
import { tabTo } from './support/tabTo.ts'

const run = promisify(execFile)
const VIEWPORTS = {
  'on a desktop': { width: 1280, height: 900 },
  'on a phone': { width: 390, height: 844 },
} as const
const CLICKS_MAX = 6

describe('whoever runs an agent, from the first visit to a granted request', function () {
  this.timeout(240_000)
  let service: StartedService
  let browser: Browser
  let people = 0
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const button = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })
  const awaitDone = (page: Page, number: number) =>
    page.getByRole('img', { name: `Step ${number}: Done` }).waitFor()
  const nextEmail = () => {
    people += 1
    return `agent${people}@people.io`
  }

  async function open(viewport: { width: number; height: number }) {
    const page = await openPage(browser, pageErrors, { viewport })
    await addVirtualAuthenticator(page)
    const clicks = await countClicks(page)
    await page.goto(service.baseUrl.replace('127.0.0.1', 'localhost'))
    return { page, clicks }
  }

  async function signUp(page: Page): Promise<void> {
    await button(page, 'Create an account').click()
    await page.locator('input[name=fullName]').fill('Ada Example')
    await page.locator('input[name=email]').fill(nextEmail())
    await button(page, 'Create account with a passkey').click()
    await button(page, /^I run an agent/).click()
    await page.getByRole('region', { name: 'Run an agent' }).waitFor()
  }

  /** Registers with the passkey, and returns the file that the browser saves. */
  async function register(page: Page, name: string): Promise<string> {
    await page.locator('input[name=agentName]').fill(name)
    const saving = page.waitForEvent('download')
    await button(page, 'Register with my passkey').click()
    const path = await (await saving).path()
    await awaitDone(page, 1)
    return path
  }

  for (const [where, viewport] of Object.entries(VIEWPORTS)) {
    it(`needs at most ${CLICKS_MAX} clicks and neither password nor wallet ${where}`, async () => {
      const { page, clicks } = await open(viewport)
      await signUp(page)
      expect(await findPageProblems(page, 'the registration')).to.deep.equal([])
      await register(page, 'Shopper')
      await page.getByText('Waiting for its first proven request…').waitFor()
      expect(await findPageProblems(page, 'the snippets')).to.deep.equal([])
      await button(page, 'Send it from this page').click()
      await awaitDone(page, 3)
      await page
        .getByRole('link', { name: /Shopper → Sample counterparty.*Granted/ })
        .first()
        .waitFor()
      // The chart beside it has the decision, too.
      await page.getByRole('region', { name: 'Decisions' }).getByText('Granted', { exact: true }).waitFor()
      expect(await clicks()).to.be.at.most(CLICKS_MAX)
      expect(await findPageProblems(page, 'the first grant')).to.deep.equal([])
      await page.reload()
      await button(page, 'First steps').waitFor()
      await page.context().close()
    })
  }

  it('turns green by itself when the copied program runs beside the saved key', async () => {
    const { page } = await open(VIEWPORTS['on a desktop'])
    await signUp(page)
    const key = await register(page, 'Elsewhere')
    await page.getByRole('tab', { name: 'JavaScript' }).click()
    const folder = mkdtempSync(join(tmpdir(), 'svc-agent-'))
    try {
      await run('cp', [key, join(folder, 'agent.jwk')])
      writeFileSync(join(folder, 'agent.mjs'), (await page.getByLabel('agent.mjs').textContent()) ?? '')
      const { stdout } = await run(process.execPath, ['agent.mjs'], { cwd: folder })
      expect(stdout).to.match(/^200 .*"recommendation":"grant"/)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
    await awaitDone(page, 3)
    await page.context().close()
  })

  it('needs no mouse', async () => {
    const { page, clicks } = await open(VIEWPORTS['on a phone'])
    await button(page, 'Create an account').focus()
    await page.keyboard.press('Enter')
    await page.locator('input[name=fullName]').focus()
    await page.keyboard.type('Ada Example')
    await page.keyboard.press('Tab')
    await page.keyboard.type(nextEmail())
    await tabTo(page, 'button:has-text("Create account with a passkey")')
    await page.keyboard.press('Enter')
    await button(page, /^I run an agent/).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Run an agent' }).waitFor()
    await tabTo(page, 'input[name=agentName]')
    await page.keyboard.type('Keyboard')
    await page.keyboard.press('Enter')
    await awaitDone(page, 1)
    await tabTo(page, 'button:has-text("Send it from this page")')
    await page.keyboard.press('Enter')
    await awaitDone(page, 3)
    expect(await clicks()).to.equal(0)
    await page.context().close()
  })

  it('says in red that nothing limits an agent without a boundary', async () => {
    const { page } = await open(VIEWPORTS['on a phone'])
    await signUp(page)
    const warning = page.getByText('Nothing limits this agent')
    expect(await warning.count()).to.equal(0)
    await page.getByRole('radio', { name: /^Custom/ }).click()
    await warning.waitFor()
    expect(await findPageProblems(page, 'an empty boundary')).to.deep.equal([])
    await page.context().close()
  })

  it('holds every request of an agent that has to ask for everything, and says so', async () => {
    const { page } = await open(VIEWPORTS['on a desktop'])
    await signUp(page)
    await page.getByRole('radio', { name: /^Ask me for everything/ }).click()
    await register(page, 'Asking')
    await button(page, 'Send it from this page').click()
    await page.getByText('Held: the owner of the agent has to approve this request.').waitFor()
    await page.getByText('A request arrived but was not granted.').waitFor()
    await page.context().close()
  })

  it('registers with the passkey in the full form too, and makes the key on the page of the agent', async () => {
    const { page } = await open(VIEWPORTS['on a desktop'])
    await signUp(page)
    await page.goto(`${service.baseUrl.replace('127.0.0.1', 'localhost')}/agents/register`)
    await page.getByLabel(/^Name/).fill('Full form')
    await button(page, 'Next: technology').click()
    await button(page, 'Next: boundary').click()
    await page.getByText('Nothing limits this agent').waitFor()
    await page.getByRole('radio', { name: /^Read only/ }).click()
    expect(await page.getByText('Nothing limits this agent').count()).to.equal(0)
    expect(await findPageProblems(page, 'the boundary')).to.deep.equal([])
    await button(page, 'Next: sign').click()
    await button(page, 'Register with my passkey').click()
    await page.getByText('Full form is registered').waitFor()
    await page.getByRole('link', { name: 'Go to the agent' }).click()
    await page.getByRole('heading', { level: 1, name: 'Full form' }).waitFor()
    await page.getByRole('tab', { name: 'Keys' }).click()
    await button(page, 'Add key').click()
    const saving = page.waitForEvent('download')
    await button(page, 'Make a key here').click()
    expect((await saving).suggestedFilename()).to.equal('agent.jwk')
    await button(page, 'Add key with passkey').click()
    // Not that of the account which holds its token, once it is minted.
    await button(page, /^Revoke (?!0x)/).waitFor()
    await page.context().close()
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
