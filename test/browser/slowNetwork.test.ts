import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { addVirtualAuthenticator } from './support/addVirtualAuthenticator.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { countRoundTrips } from './support/countRoundTrips.ts'
import { measureLoad } from './support/measureLoad.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'

/** Compressed; a connection of 50 kB/s loads them in less than a second. */
const FIRST_SCRIPTS_MAX = 45_000
/** Everything until the page that signs in can be used, with headers; the cache is empty. Usually 89 kB. */
const SIGN_IN_MAX = 92_000
/** The same for the landing page, which also begins to load a decision to try: 90 kB, and up to 20 kB of that. */
const LANDING_MAX = 118_000
/** The same for the overview of a signed-in account. Usually 94 kB; 100 kB take 3 s at 50 kB/s and 400 ms. */
const OVERVIEW_MAX = 98_000
/** Files of code, besides the first ones: a browser opens six connections, and the data waits for a free one. */
const OVERVIEW_FILES_MAX = 6
/** The page; the first scripts and styles; the session, with the code of frame and page. */
const ROUND_TRIPS_MAX = 3
/** The data, which an account needs before its overview can be used. */
const DATA_ROUND_TRIPS = 1

/** Whether a page has its title and shows everything that it asked for; runs in the browser. */
const isReady = () =>
  document.querySelector('h1') !== null && document.querySelector('[aria-busy=true]') === null

describe('the dashboard on a slow network', function () {
  this.timeout(120_000)
  let service: StartedService
  let browser: Browser
  let page: Page
  let firstScriptBytes = 0

  before(async function () {
    browser = await openBrowser(this)
    firstScriptBytes = (await buildDashboard()).firstScriptBytes
    service = await startService()
    page = await openPage(browser, [])
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('shows its outline before any script or style has arrived', async () => {
    await page.route('**/assets/**', () => undefined)
    await page.goto(service.baseUrl, { waitUntil: 'commit' })
    const starting = page.getByRole('status', { name: 'Loading' })
    await starting.waitFor()
    expect(await starting.innerText()).to.contain('Agent registry')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it(`begins with at most ${FIRST_SCRIPTS_MAX} bytes of scripts, compressed`, () => {
    expect(firstScriptBytes).to.be.within(1, FIRST_SCRIPTS_MAX)
  })

  type Measured = Awaited<ReturnType<typeof countRoundTrips>>

  /** Loads a page with an empty cache; with `MEASURE`, over a slow connection as well, and prints how long that takes. */
  async function measure(name: string, url: string): Promise<Measured> {
    // What an earlier page still loads does not count.
    await page.goto('about:blank')
    const measured = await countRoundTrips(page, url, () => page.evaluate(isReady))
    if (process.env.MEASURE === undefined) return measured
    const took = await measureLoad(page, url, isReady)
    console.log(`      ${name} at 400 ms and 50 kB/s: ${(took / 1000).toFixed(1)} s, ${measured.bytes} bytes`)
    return measured
  }

  for (const { name, path, bytesMax } of [
    { name: 'the landing page', path: '/', bytesMax: LANDING_MAX },
    { name: 'the page that signs in', path: '/agents', bytesMax: SIGN_IN_MAX },
  ]) {
    it(`needs at most ${ROUND_TRIPS_MAX} round trips and ${bytesMax} bytes for ${name}`, async () => {
      const measured = await measure(name, service.baseUrl.replace('127.0.0.1', 'localhost') + path)
      expect(measured.roundTrips, measured.report).to.be.within(1, ROUND_TRIPS_MAX)
      expect(measured.bytes, measured.report).to.be.within(1, bytesMax)
    })
  }

  describe('the overview of a signed-in account, with an empty cache', () => {
    let measured: Measured
    before(async () => {
      await addVirtualAuthenticator(page)
      const url = service.baseUrl.replace('127.0.0.1', 'localhost')
      await page.goto(url)
      await page.getByRole('button', { name: 'Create an account', exact: true }).click()
      await page.locator('input[name=fullName]').fill('Ada Example')
      await page.locator('input[name=email]').fill('ada.slow@people.io')
      await page.getByRole('button', { name: 'Create account with a passkey' }).click()
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      measured = await measure('the overview', url)
    })

    it(`needs at most ${ROUND_TRIPS_MAX + DATA_ROUND_TRIPS} round trips, one after the other`, () => {
      expect(measured.roundTrips, measured.report).to.be.within(1, ROUND_TRIPS_MAX + DATA_ROUND_TRIPS)
    })

    it('asks for nothing twice', () => {
      const sent = measured.report.split('\n').map((line) => line.slice(line.indexOf(' ') + 1))
      expect(sent.filter((path, at) => sent.indexOf(path) !== at)).to.deep.equal([])
    })

    it(`has its code in at most ${OVERVIEW_FILES_MAX} files besides the first ones, all requested at once`, () => {
      const ofSession = /^(\d+) \/api\/auth\/refresh$/m.exec(measured.report)?.[1]
      const files = measured.report.split('\n').filter((line) => line.includes(' /assets/'))
      const later = files.filter((line) => Number(line.split(' ')[0]) >= Number(ofSession))
      expect(new Set(later.map((line) => line.split(' ')[0])), measured.report).to.deep.equal(
        new Set([ofSession]),
      )
      expect(later.length, measured.report).to.be.within(1, OVERVIEW_FILES_MAX)
    })

    it('asks for all of its data in the round trip after the session', () => {
      const sentIn = (path: string) => new RegExp(`^(\\d+) ${path}$`, 'm').exec(measured.report)?.[1]
      const asked = ['activity', 'activity/counts', 'health', 'organizations']
      const after = String(Number(sentIn('/api/auth/refresh')) + 1)
      expect(
        asked.map((name) => sentIn(`/api/${name}`)),
        measured.report,
      ).to.deep.equal(asked.map(() => after))
    })

    it(`needs at most ${OVERVIEW_MAX} bytes`, () => {
      expect(measured.bytes, measured.report).to.be.within(1, OVERVIEW_MAX)
    })
  })

  it('sends a script without the headers of a page, and for what it is', async () => {
    const [, path] = /src="(\/assets\/[^"]+)"/.exec(await (await fetch(service.baseUrl)).text()) ?? []
    const { status, headers } = await fetch(service.baseUrl + path)
    expect([status, headers.get('content-security-policy')]).to.deep.equal([200, null])
    expect(headers.get('x-content-type-options')).to.equal('nosniff')
  })
})
