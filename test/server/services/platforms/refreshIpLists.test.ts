import { join } from 'node:path'
import { expect } from 'chai'
import { createIpLists } from '../../../../server/external/ipLists.ts'
import { createGetText } from '../../../../server/external/outbound/outboundHttp.ts'
import { createRefreshIpLists } from '../../../../server/services/platforms/refreshIpLists.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../../harness/runner/createTemporaryFolder.ts'

const START = Date.parse('2026-11-21T12:00:00Z')
const HOUR = 3_600_000
const LIST = JSON.stringify({
  creationTime: '2026-11-20T00:00:00',
  prefixes: [{ ipv4Prefix: '20.15.240.64/28' }],
})

describe('refreshIpLists', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  afterEach(() => folder.remove())
  let publisher: Awaited<ReturnType<typeof listen>>
  let answer: { status: number; body: string; headers?: Record<string, string> }
  let asked: (string | undefined)[] = []

  before(async () => {
    publisher = await listen((req, res) => {
      asked.push(req.headers['if-none-match'])
      const unchanged = answer.status === 200 && req.headers['if-none-match'] === answer.headers?.etag
      if (unchanged && answer.headers) res.writeHead(304).end()
      else res.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  beforeEach(() => {
    folder = createTemporaryFolder()
    asked = []
    answer = { status: 200, body: LIST, headers: { etag: '"v1"' } }
  })
  after(() => publisher.stop())

  function open() {
    const url = `${publisher.url}/list.json`
    const lists = createIpLists(join(folder.path, 'lists.json'))
    const failures: unknown[] = []
    const at = { now: START }
    const getText = createGetText({ allowPrivate: true, timeoutMs: 2000, maxBytes: 1_000_000 })
    const onFailed = (_: string, reason: unknown) => failures.push(reason)
    const refresh = createRefreshIpLists({ getText, lists, clock: () => at.now, onFailed }, [url], 24 * HOUR)
    const holds = () => lists.contains(url, '20.15.240.70', at.now)
    return { url, at, lists, failures, refresh, holds }
  }

  it('reads a list, stores it, and requests it conditionally when it is due', async () => {
    const { at, refresh, holds, lists, url } = open()
    await refresh()
    expect(holds()).to.equal(true)
    at.now += 23 * HOUR
    await refresh()
    at.now += HOUR
    await refresh()
    expect(asked).to.deep.equal([undefined, '"v1"'])
    expect(lists.state(url)?.fetchedAt).to.equal(START + 24 * HOUR)
    expect(createIpLists(join(folder.path, 'lists.json')).state(url)?.fetchedAt).to.equal(START + 24 * HOUR)
  })

  for (const [what, broken] of [
    ['an error', { status: 500, body: '' }],
    ['a redirect', { status: 302, body: '', headers: { location: '/' } }],
    ['no list', { status: 200, body: '<html>' }],
    [
      'a list of everything',
      { status: 200, body: JSON.stringify({ prefixes: [{ ipv4Prefix: '0.0.0.0/0' }] }) },
    ],
    ['too much', { status: 200, body: ' '.repeat(1_000_001) }],
  ] as const) {
    it(`keeps its list if the response is ${what}, and retries after an hour`, async () => {
      const { at, refresh, holds, failures } = open()
      await refresh()
      answer = broken
      at.now += 24 * HOUR
      await refresh()
      await refresh()
      expect([holds(), asked.length, failures.length]).to.deep.equal([true, 2, 1])
      at.now += HOUR
      await refresh()
      expect(asked).to.have.length(3)
    })
  }
})
