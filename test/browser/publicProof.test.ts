import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { Browser, Page, Route } from 'playwright-core'
import { signInBrowser } from '../../scripts/screenshots/signInBrowser.ts'
import { LOCAL_CHAIN_KEY } from '../../server/chain/localNetwork.ts'
import { registerAgent, registerEndpoint } from '../builders/participants.ts'
import { takeChain } from '../harness/chain/takeChain.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

const PROOF = '**/api/audit/records/*/proof'

describe('the public proof of a record', () => {
  let browser: Browser
  let chain: Awaited<ReturnType<typeof takeChain>>
  let service: StartedService
  let page: Page
  let appUrl: string
  let recordId: string
  let refreshToken: string
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    chain = await takeChain()
    service = await startService({
      settings: {
        RPC_URL: chain.url,
        PUBLIC_RPC_URL: chain.url,
        RELAYER_PRIVATE_KEY: LOCAL_CHAIN_KEY,
        CONFIRMATIONS: '1',
      },
    })
    appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
    const account = { email: 'ada@acme.io', password: 'correct horse battery', fullName: 'Ada' }
    const call = async (path: string, bearer: string | undefined, body: object) =>
      (await api(service.baseUrl, 'POST', path, { ...(bearer === undefined ? {} : { bearer }), body })).body
    const signedUp = await call('/api/auth/register', undefined, { ...account, accountType: 'business' })
    const bearer = signedUp.data.accessToken
    refreshToken = signedUp.data.refreshToken
    const { organizationId } = await call('/api/organizations', bearer, { name: 'Acme' })
    const { key: apiKey } = await call('/api/api-keys', bearer, { name: 'gateway', organizationId })
    const { svcId } = await registerAgent(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, apiKey)
    const request = { bearer: apiKey, body: { agentId: svcId, counterpartyId, includeReceipt: true } }
    recordId = (await api(service.baseUrl, 'POST', '/api/agents/verify-access', request)).body.auditRecordId
  })
  beforeEach(async () => {
    page = await openPage(browser, pageErrors)
  })
  afterEach(() => page.context().close())
  after(async () => {
    await browser?.close()
    await service?.stop()
    await chain?.stop()
  })

  const show = (id = recordId) => page.goto(`${appUrl}/verify/${id}`)
  const title = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const awaitProof = () =>
    waitUntil(async () => {
      const { status } = await api(service.baseUrl, 'GET', `/api/audit/records/${recordId}/proof`)
      return status === 200 ? true : null
    })
  /** Shows the page with a proof that the service, or someone between, has altered. */
  const showAltered = async (alter: (proof: Record<string, unknown>) => object) => {
    await page.route(PROOF, async (route: Route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: alter(await response.json()) })
    })
    await show()
  }

  it('says that a record is not anchored yet, and shows the proof as soon as it is', async () => {
    let isHeld = true
    await page.route(PROOF, (route) =>
      isHeld
        ? route.fulfill({
            status: 404,
            contentType: 'application/problem+json',
            headers: { 'retry-after': '1' },
            json: { success: false, code: 'NOT_ANCHORED_YET', message: 'not yet' },
          })
        : route.continue(),
    )
    await show()
    await title('Recorded, but not anchored yet')
    expect(await findPageProblems(page, 'not anchored')).to.deep.equal([])
    await awaitProof()
    isHeld = false
    await title('Proven: the chain confirms this record')
  })

  it('is proven to a visitor by the chain itself, on a phone, without anything private', async () => {
    await awaitProof()
    const asked: string[] = []
    page.on('request', (one) => asked.push(new URL(one.url()).origin))
    await show()
    await title('Proven: the chain confirms this record')
    expect(asked).to.include(chain.url)
    await section('What was recorded').getByText('Record', { exact: true }).waitFor()
    expect(await page.getByText('Reasons', { exact: true }).count(), 'reasons of a grant').to.equal(0)
    await section('What is proven').getByText('Nobody has changed, moved or removed it since').waitFor()
    await section('What is not proven').getByText('Anything, if the node at').waitFor()
    await page.getByRole('img', { name: 'QR code with the address of this page' }).waitFor()
    await page.getByText(`npx svc audit verify --rpc '${chain.url}'`).waitFor()
    expect(await findPageProblems(page, 'proven')).to.deep.equal([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await findPageProblems(page, 'proven at 320 px')).to.deep.equal([])
  })

  it('is downloaded as the proof that the service gave', async () => {
    await show()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the proof' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).to.equal(`proof-${recordId}.json`)
    const saved = JSON.parse(readFileSync(await download.path(), 'utf8'))
    const { root, treeSize } = (await api(service.baseUrl, 'GET', `/api/audit/records/${recordId}/proof`))
      .body
    expect(saved.treeSize).to.be.at.most(treeSize)
    if (saved.treeSize === treeSize) expect(saved.root).to.equal(root)
  })

  it('lets a party of the event download the receipt with its proof, and says so to nobody else', async () => {
    await show()
    await page.getByRole('button', { name: 'Download the proof' }).waitFor()
    expect(await page.getByRole('button', { name: 'Download the receipt' }).count()).to.equal(0)
    await signInBrowser(page, appUrl, refreshToken)
    await show()
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download the receipt' }).click()
    const saved = JSON.parse(readFileSync(await (await downloading).path(), 'utf8'))
    expect(saved).to.include.keys('receipt', 'issuerKey', 'entry', 'inclusionProof')
  })

  it('prints as a certificate of one page, which leaves out the rest of the screen', async () => {
    await show()
    await title('Proven: the chain confirms this record')
    const paper = await page.pdf({ format: 'A4' })
    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).to.have.length(1)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await page.getByRole('heading', { name: 'Certificate of a record' }).waitFor()
    expect(await page.getByRole('button').count()).to.equal(0)
    expect(await page.getByText('What is not proven').filter({ visible: true }).count()).to.equal(1)
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('heading', { name: 'Certificate of a record' }).waitFor({ state: 'hidden' })
  })

  it('says that the service reported the anchored root if the node does not answer', async () => {
    await page.route(`${chain.url}/**`, (route) => route.abort())
    await show()
    await title('The proof holds; the anchored root was reported by this service')
    await section('What is not proven').getByText('has not confirmed it').waitFor()
    expect(await findPageProblems(page, 'reported')).to.deep.equal([])
  })

  it('is refused if the chain contradicts it', async () => {
    await page.route(`${chain.url}/**`, async (route) => {
      const response = await route.fetch()
      const text = await response.text()
      const other = text.replace(/("data":"0x[0-9a-f]{128})[0-9a-f]{64}/, `$1${'0'.repeat(64)}`)
      await route.fulfill({ response, body: other })
    })
    await show()
    await title('The chain contradicts this proof')
    expect(await page.getByText('What is proven').count()).to.equal(0)
  })

  it('says that an altered proof does not hold', async () => {
    await showAltered((proof) => {
      const entry = Buffer.from(String(proof.entry), 'base64').toString()
      const other = entry.replace(/"time":"\d{4}/, '"time":"2001')
      return { ...proof, entry: Buffer.from(other).toString('base64') }
    })
    await title('This proof does not hold')
    await page.getByText('the entry hashes to').waitFor()
    expect(await page.getByRole('button', { name: 'Print a certificate' }).count()).to.equal(0)
    expect(await findPageProblems(page, 'altered')).to.deep.equal([])
  })

  it('says the same of one that cannot be read at all', async () => {
    await showAltered((proof) => ({ ...proof, entry: '%%%', inclusionProof: ['x'] }))
    await title('This proof does not hold')
  })

  it('says that nobody has recorded an unknown identifier', async () => {
    await show('0198c2e4-61f0-7d21-8b44-5a9c3e7f1d02')
    await title('No record has this identifier')
    expect(await findPageProblems(page, 'unknown')).to.deep.equal([])
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
