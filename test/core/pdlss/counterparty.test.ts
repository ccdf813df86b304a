import { counterpartyOf, parseCounterparty } from '@svc/core/pdlss/counterparty.ts'
import { expect } from 'chai'

describe('a counterparty', () => {
  it('is a host in URL form, all hosts below one, or a merchant', () => {
    expect(parseCounterparty('Bücher.Example')).to.deep.equal({ kind: 'host', host: 'xn--bcher-kva.example' })
    expect(parseCounterparty('*.Shop.example')).to.deep.equal({ kind: 'subdomains', suffix: '.shop.example' })
    expect(parseCounterparty('merchant:A 1')).to.equal(undefined)
    expect(parseCounterparty('merchant:A-1')).to.deep.equal({ kind: 'merchant', merchantId: 'A-1' })
  })

  it('rejects every other spelling', () => {
    for (const entry of [
      '',
      '*',
      '*.',
      'a/b',
      'a:80',
      'user@host',
      'https://x',
      'a b',
      '*.*.x',
      'merchant:',
      'a..b',
    ]) {
      expect(parseCounterparty(entry), entry).to.equal(undefined)
    }
  })
})

describe('the counterparty of a declaration', () => {
  for (const [entry, expected] of [
    ['https://Shop.Example:8443/checkout?x=1', 'shop.example'],
    ['http://shop.example', 'shop.example'],
    ['HTTPS://shop.example', 'shop.example'],
    ['Shop.Example', 'shop.example'],
    ['*.Shop.example', '*.shop.example'],
    ['merchant:A-1', 'merchant:A-1'],
    ['merchant:', undefined],
    ['https://[::1]/', undefined],
    ['https://', undefined],
    ['ftp://shop.example', undefined],
    ['see https://shop.example', undefined],
    ['', undefined],
  ] as const) {
    it(`${entry} is ${expected ?? 'none'}`, () => expect(counterpartyOf(entry)).to.equal(expected))
  }
})
