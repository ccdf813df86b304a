import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { buildMrzLines } from '../builders/buildMrzLines.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { encodePng } from '../builders/pictures.ts'
import { OPERATOR_SETTINGS } from '../builders/signInOperator.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { addVirtualAuthenticator } from './support/addVirtualAuthenticator.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findViolations } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const EMAIL = 'ada@people.io'
const PASSWORD = 'correct horse battery'

describe('the verification of an identity in a browser', () => {
  let service: StartedService
  let appUrl: string
  let browser: Browser
  let page: Page
  let bearer: string
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    service = await startService({ settings: OPERATOR_SETTINGS })
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    const body = { email: EMAIL, password: PASSWORD, fullName: 'Ada', accountType: 'individual' }
    bearer = (await api(service.baseUrl, 'POST', '/api/auth/register', { body })).body.data.accessToken
    page = await signedIn(EMAIL, PASSWORD)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const signedIn = async (email: string, password: string): Promise<Page> => {
    const opened = await openPage(browser, pageErrors)
    await addVirtualAuthenticator(opened)
    await opened.goto(appUrl)
    await opened.getByLabel('E-mail').fill(email)
    await opened.locator('input[name=password]').fill(password)
    await opened.getByRole('button', { name: 'Sign in', exact: true }).click()
    await opened.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    return opened
  }
  const asOperator = () => {
    const { SVC_OPERATOR_EMAIL, SVC_OPERATOR_PASSWORD } = OPERATOR_SETTINGS
    return signedIn(SVC_OPERATOR_EMAIL, SVC_OPERATOR_PASSWORD)
  }
  const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: encodePng(640, 480) })
  const score = async (svcId: string): Promise<number> =>
    (await api(service.baseUrl, 'GET', `/api/agents/${svcId}`)).body.agent.trustScore
  /** Fills in the form and submits it. */
  const submitDocuments = async ({ passport = picture('passport.png') } = {}) => {
    const [first = '', second = ''] = buildMrzLines().split('\n')
    const inputs = page.locator('input[type=file]')
    await inputs.nth(0).setInputFiles(passport)
    await inputs.nth(1).setInputFiles(picture('me.png'))
    await page.getByLabel('First line').fill(first)
    await page.getByLabel('Second line').fill(second)
    await page.getByText('The check digits match').waitFor()
    await page.getByRole('button', { name: 'Submit for review' }).click()
  }
  const expectReview = () => page.getByText('Your documents are being reviewed').waitFor()
  /** Opens the oldest pending case. */
  const openCase = async (operators: Page) => {
    await operators.goto(`${appUrl}/operator`)
    await operators.getByText('Ada', { exact: true }).click()
    await operators.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    await operators.getByRole('img', { name: 'Passport' }).waitFor()
  }
  let operators: Page

  it('is linked from the account page, without access to reviews', async () => {
    await page.goto(`${appUrl}/account`)
    await page.getByText('Verify').click()
    await page.getByRole('heading', { level: 1, name: 'Verify your identity' }).waitFor()
    expect(await page.locator('a[href="/operator"]').count()).to.equal(0)
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('reports typing errors in the zone, and accepts both lines pasted at once', async () => {
    const [first = '', second = ''] = buildMrzLines().split('\n')
    await page.getByLabel('First line').fill(first.toLowerCase() + second.replace('L898902C3', 'L898902C4'))
    expect(await page.getByLabel('Second line').inputValue()).to.have.length(44)
    await page.getByText('Passport number: the check digit, character 10 of the second line').waitFor()
    expect(await page.getByRole('button', { name: 'Submit for review' }).isDisabled()).to.equal(true)
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('says at the field which picture is refused', async () => {
    const broken = { name: 'passport.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await submitDocuments({ passport: broken })
    await page.getByText('Passport: expected a JPEG or PNG picture').waitFor()
    await page.locator('button[aria-invalid=true]:focus').waitFor()
    expect(await page.getByText('VALIDATION_ERROR').count()).to.equal(0)
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('is pending once submitted', async () => {
    await submitDocuments()
    await expectReview()
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('is shown to an operator with pictures that can be enlarged and moved, by pointer and keys', async () => {
    operators = await asOperator()
    await operators.setViewportSize({ width: 1280, height: 900 })
    await operators.getByRole('region', { name: 'An identity needs your review' }).waitFor()
    expect(await findViolations(operators)).to.deep.equal([])
    await operators.getByRole('button', { name: /^I review for this service/ }).click()
    for (const state of ['1: Not done yet', '2: Done', '3: Not done yet', '4: Not done yet']) {
      await operators.getByRole('img', { name: `Step ${state}` }).waitFor()
    }
    await operators.getByRole('link', { name: 'Open the oldest case' }).click()
    await operators.getByRole('heading', { level: 1, name: 'Ada' }).waitFor()
    await openCase(operators)
    const passport = operators.getByRole('group', { name: /^Passport: plus and minus/ })
    const transform = () => passport.getByRole('img').evaluate((one: HTMLElement) => one.style.transform)
    await passport.focus()
    await operators.keyboard.press('+')
    expect(await transform()).to.equal('translate(0%, 0%) scale(1.5)')
    await operators.keyboard.press('ArrowRight')
    expect(await transform()).to.equal('translate(-10%, 0%) scale(1.5)')
    await operators.keyboard.press('0')
    expect(await transform()).to.equal('translate(0%, 0%) scale(1)')
    await passport.click()
    expect(await transform()).to.match(/ scale\(3\)$/)
    const box = await passport.boundingBox()
    if (box === null) throw new Error('the picture is not shown')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await operators.mouse.move(x, y)
    await operators.mouse.down()
    await operators.mouse.move(x + box.width / 2, y, { steps: 4 })
    await operators.mouse.up()
    expect(await transform()).to.match(/^translate\((49|50)(\.\d+)?%, .* scale\(3\)$/)
    await operators.getByRole('button', { name: 'Whole picture' }).click()
    expect(await transform()).to.equal('translate(0%, 0%) scale(1)')
    await operators.getByRole('button', { name: 'Enlarge the person' }).click()
    expect(await transform()).to.equal('translate(0%, 0%) scale(1)')
  })

  it('is shown with both names and what differs between them', async () => {
    const names = operators.getByRole('group', { name: 'Names' })
    await names.getByText('The two names have no word in common.').waitFor()
    expect(await names.locator('mark').allInnerTexts()).to.have.length(4)
    expect(await findViolations(operators)).to.deep.equal([])
  })

  it('is rejected with a reason by an operator, who adds a passkey first', async () => {
    const waiting = operators.getByRole('link', { name: /^Identity review\s*1 pending$/ })
    await waiting.waitFor()
    await operators.getByRole('definition').getByText('ERIKSSON', { exact: true }).waitFor()
    expect(await findViolations(operators)).to.deep.equal([])
    await operators.getByRole('button', { name: 'Add passkey' }).click()
    await operators.getByText('A decision requires a passkey').waitFor({ state: 'detached' })
    await operators.getByRole('button', { name: 'Reject', exact: true }).click()
    await operators.getByLabel('Reason').fill('The picture is grey all over.')
    expect(await findViolations(operators)).to.deep.equal([])
    await operators.getByRole('button', { name: 'Reject with a passkey' }).click()
    await operators.getByText('Deleted according to').waitFor()
    await waiting.waitFor({ state: 'detached' })
  })

  it('completes the first steps of a reviewer, once its record is read', async () => {
    await operators.goto(appUrl)
    for (const nth of [1, 2, 3]) await operators.getByRole('img', { name: `Step ${nth}: Done` }).waitFor()
    await operators.getByRole('button', { name: 'Show the record' }).click()
    await operators.getByRole('img', { name: 'Step 4: Done' }).waitFor()
    await operators.getByRole('definition').getByText('The picture is grey all over.').waitFor()
    expect(await findViolations(operators)).to.deep.equal([])
    await operators.reload()
    await operators.getByRole('button', { name: 'First steps' }).waitFor()
  })

  it('can be submitted again by the owner, who sees the reason', async () => {
    await page.reload()
    await page.getByText('Reason given by the reviewer: The picture is grey all over.').waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await submitDocuments()
    await expectReview()
  })

  it('is approved with a passkey, and raises the score of the owner’s agents', async () => {
    const { svcId } = await registerAgent(service.baseUrl)
    const me = (await api(service.baseUrl, 'GET', '/api/me', { bearer })).body
    await service.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', me.user.developerId, svcId)
    const before = await score(svcId)
    await operators.setViewportSize({ width: 390, height: 844 })
    await openCase(operators)
    const isWide = await operators.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(isWide).to.equal(false)
    const approve = operators.getByRole('button', { name: 'Approve with a passkey' })
    const compared = operators.getByRole('group', { name: 'What you have compared' })
    await compared.getByRole('checkbox').first().check()
    await approve.click()
    await operators.getByText('Compare all of this before you approve').waitFor()
    expect(await findViolations(operators)).to.deep.equal([])
    await compared.getByRole('checkbox').first().waitFor()
    for (const box of await compared.getByRole('checkbox').all()) await box.check()
    await approve.click()
    await operators.getByText('Deleted according to').waitFor()
    await operators.getByText('Both pictures show the same person').waitFor()
    await approve.waitFor({ state: 'detached' })
    await showPath(operators, '/')
    await operators.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await operators.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    expect(await operators.getByText('needs your review').count()).to.equal(0)
    await operators.goBack()
    await operators.getByText('Both pictures show the same person').waitFor()
    expect(
      await operators
        .getByText(/pending|Compare the passport/i)
        .filter({ visible: true })
        .count(),
    ).to.equal(0)
    expect(await score(svcId)).to.be.greaterThan(before)
    const shop = await createOrganisation(service.baseUrl)
    const verified = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body: { agentId: svcId, counterpartyId: await registerEndpoint(service.baseUrl, shop.apiKey) },
    })
    expect(verified.body.agent.trustScore).to.be.greaterThan(before)
  })

  it('is shown to the owner as verified without a reload', async () => {
    await page.getByText('Your identity is verified').waitFor({ timeout: 30_000 })
    expect(await findViolations(page)).to.deep.equal([])
    await page.getByRole('heading', { level: 1, name: 'Your identity' }).waitFor()
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByText('Developer identifier, verified').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Developer identifier, verified').waitFor({ state: 'detached' })
    for (const [path, title] of [
      ['/kyd', 'Your identity'],
      ['/account', 'Account'],
      ['/', 'Overview'],
    ] as const) {
      await showPath(page, path)
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      const text = await page.getByRole('main').innerText()
      expect(text, path).not.to.match(/being reviewed|not verified|verify your identity|wait for a review/i)
    }
    await page.goto(`${appUrl}/alerts`)
    await page.getByText('Your developer identity is verified.').waitFor()
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
