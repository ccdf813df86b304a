import { expect } from 'chai'
import { createReverseDns } from '../../../../server/external/outbound/reverseDns.ts'
import { startAddressNameServer } from '../../../harness/peers/startAddressNameServer.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const V6 = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa'

describe('reverseDns', () => {
  let server: Awaited<ReturnType<typeof startAddressNameServer>>
  before(async () => {
    server = await startAddressNameServer({
      'PTR 1.66.249.66.in-addr.arpa': ['crawl-66-249-66-1.googlebot.com'],
      'A crawl-66-249-66-1.googlebot.com': ['66.249.66.9', '66.249.66.1'],
      'PTR 2.66.249.66.in-addr.arpa': ['crawl-66-249-66-1.googlebot.com'],
      'PTR 3.66.249.66.in-addr.arpa': ['liar.example', 'crawl-3.googlebot.com'],
      'A crawl-3.googlebot.com': ['66.249.66.3'],
      [`PTR ${V6}`]: ['crawl-6.googlebot.com'],
      'AAAA crawl-6.googlebot.com': ['2001:4860:4801:10::1'],
    })
  })
  beforeEach(() => {
    server.asked.length = 0
  })
  after(() => server.stop())

  const open = (cachedMax?: number) =>
    createReverseDns({ servers: [server.address], ...(cachedMax ? { cachedMax } : {}) })
  /** Waits for the name. */
  const nameOf = async (names: ReturnType<typeof open>, address: string) =>
    waitUntil(async () => names(address, NOW))
  const questions = (count: number) =>
    waitUntil(async () => (server.asked.length >= count ? server.asked : null))

  it('returns null for a new address and its name later', async () => {
    const names = open()
    expect(names('66.249.66.1', NOW)).to.equal(null)
    expect(await nameOf(names, '66.249.66.1')).to.equal('crawl-66-249-66-1.googlebot.com')
    expect(server.asked).to.deep.equal(['PTR 1.66.249.66.in-addr.arpa', 'A crawl-66-249-66-1.googlebot.com'])
  })

  it('confirms names of IPv6 addresses', async () => {
    expect(await nameOf(open(), '2001:4860:4801:10::1')).to.equal('crawl-6.googlebot.com')
  })

  it('uses the first name that resolves to the address', async () => {
    expect(await nameOf(open(), '66.249.66.3')).to.equal('crawl-3.googlebot.com')
  })

  it('rejects a name that resolves to other addresses', async () => {
    const names = open()
    names('66.249.66.2', NOW)
    await questions(2)
    names('66.249.66.1', NOW)
    await nameOf(names, '66.249.66.1')
    expect(names('66.249.66.2', NOW)).to.equal(null)
  })

  it('caches a name, keeps it while it is looked up again, and drops it in the end', async () => {
    const names = open()
    await nameOf(names, '66.249.66.1')
    const host = 'crawl-66-249-66-1.googlebot.com'
    expect(names('66.249.66.1', NOW + 3_599_999)).to.equal(host)
    expect(server.asked).to.have.length(2)
    expect(names('66.249.66.1', NOW + 3_600_000)).to.equal(host)
    await questions(4)
    expect(open()('66.249.66.1', NOW + 3 * 3_600_000)).to.equal(null)
  })

  it('does not look up private addresses', async () => {
    const names = open()
    for (const address of ['10.0.0.1', '127.0.0.1', '::1', 'fe80::1']) names(address, NOW)
    await nameOf(names, '66.249.66.1')
    expect(server.asked).to.have.length(2)
  })

  it('caches no more than its limit', async () => {
    const names = open(1)
    await nameOf(names, '66.249.66.1')
    await nameOf(names, '66.249.66.3')
    expect(names('66.249.66.1', NOW)).to.equal(null)
  })
})
