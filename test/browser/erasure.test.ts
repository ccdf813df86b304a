import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { strFromU8, unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { addVirtualAuthenticator } from './support/addVirtualAuthenticator.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const EMAIL = 'ada@people.io'

describe('exporting the data of an account and deleting it, in a browser on a phone', () => {
  let service: StartedService
  let browser: Browser
  let page: Page
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService()
    page = await openPage(browser, pageErrors)
    await addVirtualAuthenticator(page)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const dialog = () => page.getByRole('dialog', { name: 'Delete your account?' })
  const shoot = async (name: string) => {
    const folder = process.env.SHOTS
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  }

  it('exports what is stored about the person as a file', async () => {
    await page.goto(service.baseUrl.replace('127.0.0.1', 'localhost'))
    await button('Create an account').click()
    await page.locator('input[name=fullName]').fill('Ada Example')
    await page.locator('input[name=email]').fill(EMAIL)
    await page.locator('input[name=password]').fill('correct horse battery')
    await button('Create account').click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await showPath(page, '/account')
    await page.getByText(/^A zip archive of JSON files/).waitFor()
    await button('Export my data').focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^Your data is ready/).waitFor()
    await shoot('export')
    expect(await findPageProblems(page, 'export')).to.deep.equal([])
    const started = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const file = await started
    expect(file.suggestedFilename()).to.equal('my-data.zip')
    const files = unzipSync(readFileSync(await file.path()))
    expect(strFromU8(files['account.json'] ?? new Uint8Array())).to.contain(EMAIL)
  })

  it('says what happens, and needs the address to be typed', async () => {
    await button('Delete my account').click()
    await dialog().getByText('For 30 days').waitFor()
    expect(await dialog().getByRole('button', { name: 'Delete my account' }).isDisabled()).to.equal(true)
    await page.keyboard.type(EMAIL)
    await shoot('deletion')
    expect(await findPageProblems(page, 'deletion')).to.deep.equal([])
  })

  it('deletes by keyboard, and then shows the day on the overview as well', async () => {
    await page.keyboard.press('Enter')
    await page.getByText(/^Your account will be erased on/).waitFor()
    await dialog().waitFor({ state: 'hidden' })
    await shoot('scheduled')
    await showPath(page, '/')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.getByText(/^Your account will be erased on/).waitFor()
    await shoot('overview')
    expect(await findPageProblems(page, 'grace')).to.deep.equal([])
  })

  it('keeps the account at the press of a button', async () => {
    await button('Keep my account').click()
    await page.getByText(/^Your account will be erased on/).waitFor({ state: 'hidden' })
    await showPath(page, '/account')
    await button('Delete my account').waitFor()
    expect(await button('Delete my account').isEnabled()).to.equal(true)
    expect(pageErrors).to.deep.equal([])
  })
})
