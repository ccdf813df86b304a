import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createIpLists } from '../../../server/external/ipLists.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

const URL_OF = 'https://operator.example/list.json'
const NOW = Date.parse('2026-11-21T12:00:00Z')
const DAY = 86_400_000

describe('ipLists', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => folder.remove())
  const file = () => join(folder.path, 'lists.json')
  const prefixes = [
    { address: '20.15.240.64', bits: 28, family: 'ipv4' as const },
    { address: '2001:4860:4801:10::', bits: 64, family: 'ipv6' as const },
  ]
  const filled = () => {
    const lists = createIpLists(file())
    lists.put(URL_OF, { fetchedAt: NOW, etag: '"1"', prefixes })
    return lists
  }

  for (const [address, expected] of [
    ['20.15.240.63', false],
    ['20.15.240.64', true],
    ['20.15.240.79', true],
    ['20.15.240.80', false],
    ['2001:4860:4801:10::', true],
    ['2001:4860:4801:0010:ffff:ffff:ffff:ffff', true],
    ['2001:4860:4801:11::', false],
    ['not an address', false],
  ] as const) {
    it(`${expected ? 'contains' : 'does not contain'} ${address}`, () => {
      expect(filled().contains(URL_OF, address, NOW)).to.equal(expected)
    })
  }

  it('contains nothing of an unknown list or of one older than 30 days', () => {
    expect(filled().contains('https://operator.example/other.json', '20.15.240.64', NOW)).to.equal(false)
    expect(filled().contains(URL_OF, '20.15.240.64', NOW + 30 * DAY)).to.equal(true)
    expect(filled().contains(URL_OF, '20.15.240.64', NOW + 30 * DAY + 1)).to.equal(false)
  })

  it('reads back after a restart what it saved, in a dated file for its owner only', () => {
    filled().save()
    expect(statSync(file()).mode & 0o777).to.equal(0o600)
    expect(JSON.parse(readFileSync(file(), 'utf8')).lists[0]).to.deep.equal({
      url: URL_OF,
      fetchedAt: '2026-11-21T12:00:00.000Z',
      etag: '"1"',
      prefixes: ['20.15.240.64/28', '2001:4860:4801:10::/64'],
    })
    const again = createIpLists(file())
    expect(again.contains(URL_OF, '20.15.240.70', NOW)).to.equal(true)
    expect(again.state(URL_OF)).to.include({ fetchedAt: NOW, etag: '"1"' })
  })

  it('names an invalid file', () => {
    for (const text of [
      '{',
      '{}',
      JSON.stringify({ lists: [{ url: URL_OF, fetchedAt: 'yesterday', etag: null, prefixes: [] }] }),
    ]) {
      writeFileSync(file(), text)
      expect(() => createIpLists(file())).to.throw(`${file()} is not a file of address lists`)
    }
    const wide = { url: URL_OF, fetchedAt: new Date(NOW).toISOString(), etag: null, prefixes: ['0.0.0.0/0'] }
    writeFileSync(file(), JSON.stringify({ lists: [wide] }))
    expect(() => createIpLists(file())).to.throw('0.0.0.0/0 is not a valid address prefix')
  })
})
