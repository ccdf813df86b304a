import { expect } from 'chai'
import { buildSession } from './buildSession.ts'
import { fakeBrowser } from './fakeBrowser.ts'

const PATH = '/api/chain'
/** How long an answer counts as current. */
const FRESH_MS = 10_000

describe('what the dashboard reads ahead', () => {
  let session: typeof import('../../../web/src/api/session.ts').session
  let answersAhead: typeof import('../../../web/src/api/answersAhead.ts').answersAhead
  let sendCall: typeof import('../../../web/src/api/callApi.ts').sendCall
  const browser = fakeBrowser
  const { sent } = browser
  const { now } = performance
  let time = 0

  before(async () => {
    browser.install()
    performance.now = () => time
    session = (await import('../../../web/src/api/session.ts')).session
    answersAhead = (await import('../../../web/src/api/answersAhead.ts')).answersAhead
    sendCall = (await import('../../../web/src/api/callApi.ts')).sendCall
  })

  after(() => {
    performance.now = now
    browser.remove()
  })

  beforeEach(() => {
    session.begin(buildSession(1))
    answersAhead.forget()
    sent.length = 0
  })

  const paths = () => sent.map(({ path }) => path)
  const readAhead = () => {
    answersAhead.send('GET /api/chain', {})
    sent[0]?.answer(200, { nth: 1 })
  }
  /** What a page gets that reads now, if the service would answer with the second one. */
  async function read(): Promise<unknown> {
    const reading = sendCall('GET /api/chain')
    // A request is sent at once, or after the one sent ahead has failed.
    await new Promise(setImmediate)
    sent[1]?.answer(200, { nth: 2 })
    return reading
  }

  it('is the answer of the first caller, which sends no request', async () => {
    readAhead()
    expect(await read()).to.deep.equal({ nth: 1 })
    expect(paths()).to.deep.equal([PATH])
  })

  it('is used once', async () => {
    readAhead()
    await read()
    expect(await read()).to.deep.equal({ nth: 2 })
  })

  it(`counts for ${FRESH_MS} ms and no longer`, async () => {
    readAhead()
    time += FRESH_MS
    expect(await read()).to.deep.equal({ nth: 1 })
    sent.length = 0
    readAhead()
    time += FRESH_MS + 1
    expect(await read()).to.deep.equal({ nth: 2 })
    expect(paths()).to.deep.equal([PATH, PATH])
  })

  it('is used only for the account for which it was read', async () => {
    readAhead()
    session.begin(buildSession(2, 'grace'))
    expect(await read()).to.deep.equal({ nth: 2 })
  })

  it('is discarded with the first change, because that may make it outdated', async () => {
    readAhead()
    const changing = sendCall('POST /api/organizations', { body: { name: 'Acme' } })
    sent.pop()?.answer(201, {})
    await changing
    expect(await read()).to.deep.equal({ nth: 2 })
  })

  it('is not used for another query', async () => {
    readAhead()
    const reading = sendCall('GET /api/chain', { query: { limit: 1 } })
    sent[1]?.answer(200, { nth: 2 })
    expect(await reading).to.deep.equal({ nth: 2 })
  })

  it('is read again by its first caller if it could not be read', async () => {
    answersAhead.send('GET /api/chain', {})
    sent[0]?.answer(503, { code: 'SERVICE_UNAVAILABLE' })
    expect(await read()).to.deep.equal({ nth: 2 })
  })
})
